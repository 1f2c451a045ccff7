"""From a document to a scenario: names and kinds checked, nothing bound."""
