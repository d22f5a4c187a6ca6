"""Texts that name a currency before or behind a number: codes of ISO 4217, signs, abbreviations."""

from __future__ import annotations

import unicodedata
from typing import Final

_LONGEST_WITH_SIGN: Final = 4


def is_currency(affix: str) -> bool:
    """Tell whether the text before or after a number names a currency."""
    told = affix.strip()
    return (
        told in _CODES
        or told in _ABBREVIATIONS
        or told in _IN_SMALL_LETTERS
        or (
            any(unicodedata.category(letter) == "Sc" for letter in told)
            and len(told) <= _LONGEST_WITH_SIGN
        )
    )


_CODES: Final = frozenset(
    """
    AED AFN AMD ANG AOA ARS AUD AWG AZN BBD BDT BGN BHD BIF BMD BND BRL BSD BTN BWP
    BYN BZD CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP
    GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS
    KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MRU MUR MVR
    MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF
    SAR SBD SCR SDG SEK SGD SHP SLE SRD SSP STN SVC SYP SZL THB TJS TMT TND TRY TTD TWD
    TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW RMB DEM FRF ITL ESP ATS
    """.split()  # noqa: SIM905 - two hundred strings in quotes would be harder to read
)
_ABBREVIATIONS: Final = frozenset(
    """
    DM Fr Fr. SFr SFr. Rs Rs. kr kr. zł Kč Kčs Ft lei Lei Lt Ls RM Rp Rp. TL Euro Euros euro euros
    Dollar dollars S/ S/. B/ B/. Bs. Bs.F Bs.F. Gs. Nu. Tk. Br. KSh Ksh KSh. Ksh. TSh Tsh USh Ush
    Shs Birr FCFA CFA MTn Php PhP VNĐ đ đồng Baht kn. din din. Lek Dhs Dhs. Afs Afs. FRw
    дин дин. КМ лв лв. ден ден. сом сўм сум тг тг. тнг грн грн. руб руб. р. रु रु.
    元 円 圆 圓 원 ریال تومان ريال درهم دينار جنيه
    د.إ د.ا د.ب د.ت د.ج د.ع د.ك د.ل د.م د.م. ر.س ر.س. ر.ع ر.ع. ر.ق ر.ق. ج.م ج.م. ل.ل ل.ل. ل.س ر.ي
    """.split()  # noqa: RUF001, SIM905
)
"""Short ones with their point alone: "Br12" and "KD3" are codes, as "TOP 10" is no sum."""
_IN_SMALL_LETTERS: Final = frozenset(
    """
    eur usd gbp chf cad aud jpy inr pln sek nok dkk czk huf brl mxn zar ngn kes pkr php rub uah
    krw cny sgd hkd twd thb idr myr vnd aed egp
    """.split()  # noqa: SIM905
)
"""Others are words too, such as "pen" and "try"."""
