"""Tests of the packing policies, the validator, the peak and what a layout shares."""
