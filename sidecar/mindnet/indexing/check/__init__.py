"""The graph check: is what is stored whole, consistent, and the same as the vault?"""

from mindnet.indexing.check.problem import Problem
from mindnet.indexing.check.run import BATCH_RULES, FILE_RULES, RULES, Checked, check_index, missing_fields
from mindnet.indexing.check.stale import STALE, Stale, is_indexed

__all__ = [
    "BATCH_RULES",
    "FILE_RULES",
    "RULES",
    "STALE",
    "Checked",
    "Problem",
    "Stale",
    "check_index",
    "is_indexed",
    "missing_fields",
]
