"""Which encoding makes words of the bytes above 127, where a text is not UTF-8.

A table has few words and many digits, too few for what detectors know of prose. Each encoding
has letters that its languages use; the right one shows these, in words of one script, and
hardly any signs inside of words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_WESTERN: Final = "äöüßéèêëàâçîïôùûœáíóúñãõåæøìò"
_ICELANDIC: Final = "áæðéíóöúýþ"
_EASTERN: Final = "ąćęłńóśźżáčďéěíňřšťúůýžôľĺŕäöüßőűăâîş"
_RUSSIAN: Final = "оеаинтсрвлкмдпуый"
# By encoding: the script, and the letters that are usual in it.
_SINGLE: Final = {
    "cp1252": ("LATIN", _WESTERN),
    "cp1250": ("LATIN", _EASTERN),
    "cp1254": ("LATIN", "çğıöşüâîûİ"),
    "cp850": ("LATIN", _WESTERN),
    "mac_roman": ("LATIN", _WESTERN),
    "iso8859_2": ("LATIN", _EASTERN),
    "cp1251": ("CYRILLIC", f"{_RUSSIAN}іїє"),
    "koi8_r": ("CYRILLIC", _RUSSIAN),
    "cp866": ("CYRILLIC", _RUSSIAN),
    "cp1253": ("GREEK", "αοιετσνηυρπκλμςάέίόή"),
    "cp1255": ("HEBREW", "יוהלארתבמשנםן"),
    "cp1256": ("ARABIC", "اليمونرتبعدسفهكقحج"),
}
_LATIN: Final = [name for name, (script, _) in _SINGLE.items() if script == "LATIN"]
# By encoding: the first bytes of the signs that are usual in it.
_DOUBLE: Final = {
    "cp932": range(0x88, 0x98),
    "euc_jp": range(0xB0, 0xD0),
    "gb18030": range(0xB0, 0xD8),
    "big5": range(0xA4, 0xC7),
    "cp949": range(0xB0, 0xC9),
}
_SYLLABLES: Final = (
    "이다가는을를의에서지고기하사도시리아은로자대나어인일한정"
    "수부전보제주상원구해장동음높낮남여예니오"
)
_WORD: Final = re.compile(r"(?:[^\W\d_]|[^\x00-\x7f])+")
_SIGNS: Final = set("’–—…µªº\xa0\xad")
_OTHER_SIGNS: Final = set("’–—…«»“”№\xa0")
"""What stands at letters of words and says nothing."""
_LEAST: Final = 0.3
_MARGIN: Final = 0.25
_MOST_ACCENTS: Final = 2
_FEW: Final = 6
_MOST_WORDS: Final = 500


def guess_encoding(sample: bytes) -> str:
    """Return the encoding of text that is no UTF-8: "cp1252" if nothing says more."""
    told = {name: _weigh(sample, name) for name in (*_DOUBLE, *_SINGLE)}
    # Two of its letters are Turkish ones elsewhere, and six more are in no Turkish word.
    icelandic = _weigh(sample, "cp1252", _ICELANDIC)
    if sum(icelandic) > max(sum(told["cp1252"]), sum(told["cp1254"])):
        told["cp1252"] = icelandic
    found = {name: sum(values) / len(values) for name, values in told.items() if values}
    # Its neighbours differ in few letters, so something has to speak against it.
    if min(told["cp1252"], default=0.0) >= 0:
        found = {name: found[name] for name in found if name not in _LATIN or name == "cp1252"}
    best = max(found, key=lambda name: found[name], default="cp1252")
    clear = found.get(best, 0.0) >= max(_LEAST, found.get("cp1252", 0.0) + _MARGIN)
    return best if clear else "cp1252"


def _weigh(sample: bytes, name: str, usual: str = "") -> list[float]:
    """Return what speaks for each letter above 127 in the different words, from -1 to 1."""
    try:
        text = sample.decode(name, "replace" if name in _SINGLE else "strict")
    except UnicodeDecodeError:
        return []
    told = dict.fromkeys(word for word in _WORD.findall(text) if not word.isascii())
    words = [*told][:_MOST_WORDS]
    if name in _SINGLE:
        script, known = _SINGLE[name]
        return [value for word in words for value in _letters(word, script, usual or known)]
    few = len({*"".join(words)}) < _FEW
    return [value for word in words for value in _pairs(word, name, few)]


def _letters(word: str, script: str, usual: str) -> Iterator[float]:
    latin = script == "LATIN"
    if not latin and len(word) == 1:
        return  # "£" is a letter elsewhere
    signs = _SIGNS if latin else _OTHER_SIGNS
    strange = sum(not sign.isascii() for sign in word)
    mixed = strange >= _MOST_ACCENTS and strange == len(word) if latin else strange < len(word)
    for before, sign, after in zip(f" {word}", word, f"{word[1:]} ", strict=False):
        if sign.isascii() or sign in signs:
            continue
        if not sign.isalpha():
            box = unicodedata.name(sign, "").startswith(("BOX", "BLOCK"))
            if not latin or box or (before.isalpha() and after.isalpha()):
                yield -1.0
        elif mixed or (before.islower() and sign.isupper()):
            yield -1.0
        elif sign.lower() in usual or sign in usual:
            # Capitals among words in small letters tell the Cyrillic encodings apart.
            yield 0.8 if sign.isupper() and not latin else 1.0
        elif script in unicodedata.name(sign, ""):
            yield -0.5 if latin else 0.3
        else:
            yield -1.0


def _pairs(word: str, name: str, few: bool) -> Iterator[float]:
    signs = [sign for sign in word if not sign.isascii()]
    mixed = len(signs) < len(word) - len(signs)
    for sign in signs:
        told, code = unicodedata.name(sign, ""), sign.encode(name)
        if told.startswith(("IDEOGRAPHIC", "FULLWIDTH", "KATAKANA-HIRAGANA")):
            continue
        if mixed or len(code) != 2:
            yield -1.0
        elif told.startswith(("HIRAGANA", "KATAKANA")):
            yield 1.0 if name in ("cp932", "euc_jp") else -1.0
        elif code[0] not in _DOUBLE[name] or (name == "gb18030" and code[1] < 0xA1):
            yield -0.5
        else:
            # Chinese signs may be syllables of Korean; many that all are hardly are Chinese.
            other = 0.7 if few else 0.95
            korean = 1.0 if sign in _SYLLABLES else other
            yield {"cp932": 1.0, "euc_jp": 0.6, "cp949": korean}.get(name, 0.9)
