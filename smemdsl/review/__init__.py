"""What changed between two results, files, folders or git revisions.

`state` is what is compared, `live` makes it from scenarios, `stored` from a result, `git` reads a revision;
`matching` finds what belongs together, `changes` compares, `reasons` explains, `growth` is a limit.
"""
