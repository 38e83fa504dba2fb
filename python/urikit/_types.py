"""The plain tuples that functions of the extension accept and return."""

from typing import List, Optional, Tuple, Union

Parts = Tuple[
    Optional[str],
    Optional[str],
    Optional[str],
    Optional[str],
    Optional[str],
    Optional[str],
    bool,
]
Pair = Union[Tuple[str, Optional[str]], List[str], List[Optional[str]]]
Voice = Tuple[str, Optional[Parts], Optional[Tuple[str, Optional[int]]]]
Led = Tuple[str, Optional[Tuple[str, Parts]], bool, Optional[Tuple[str, Optional[int]]]]
Disputed = Tuple[str, List[Tuple[str, List[str]]]]
RawFinding = Tuple[str, str, int, str, Optional[str]]
Wanted = Tuple[bool, bool, bool, Optional[str]]
Marks = Tuple[bool, bool, Optional[str], Optional[str]]
RawLink = Tuple[int, int, str, str, Marks]
RawPlace = Tuple[
    Optional[str], Optional[str], Optional[str], Optional[str], Optional[str], Optional[str],
    Optional[str], Optional[str], Optional[str], Optional[int], Optional[int],
]
RawFound = Tuple[
    Tuple[int, int],
    Optional[Tuple[int, int]],
    Tuple[str, str, str, Optional[str]],
    Optional[Tuple[str, str]],
    Marks,
    Optional[RawPlace],
]
