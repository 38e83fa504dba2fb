"""What functions of the extension return: plain tuples."""

from typing import List, Optional, Tuple

Parts = Tuple[
    Optional[str],
    Optional[str],
    Optional[str],
    Optional[str],
    Optional[str],
    str,
    bool,
]
Voice = Tuple[str, Optional[Parts], Optional[Tuple[str, Optional[int]]]]
Disputed = Tuple[str, List[Tuple[str, List[str]]]]
RawFinding = Tuple[str, str, int, str]
RawFound = Tuple[
    Tuple[int, int],
    Optional[Tuple[int, int]],
    str,
    str,
    str,
    Optional[str],
    Optional[Tuple[str, str]],
    Optional[str],
]
