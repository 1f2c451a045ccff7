"""The rules of Triton 3.9 for dots, measured against the compiler.

`tests/data/triton_gemm.jsonl` and `triton_programs.jsonl` have the configurations that were compiled.
"""
