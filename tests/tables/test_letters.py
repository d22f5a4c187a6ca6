"""The encoding of small tables that are not UTF-8: few words, many digits."""

from __future__ import annotations

import pytest

from stiknn_core import read_table

WORDS = {
    "German": "Größe schön Straße Müll Öl weiß",
    "French": "Catégorie été déjà français fenêtre élève",
    "Spanish": "Categoría año niño corazón también según",
    "Portuguese": "São coração você ação três não",
    "Swedish": "Kategori grön blå röd Malmö Västerås",
    "Icelandic": "síða góður bláber Reykjavík ýsa grænn",
    "Polish": "Łódź żółty święto mąka źródło miłość",
    "Czech": "červený říjen město kůň těžký příliš",
    "Turkish": "Sınıf kırmızı yeşil dağ şehir çocuk",  # noqa: RUF001 - Turkish
    "Russian": "красный синий Москва низкий размер нет",
    "Ukrainian": "червоний Київ їжа область низький рік",
    "Greek": "κόκκινο μπλε Αθήνα υψηλό χαμηλό μέγεθος",
    "Hebrew": "אדום כחול גבוה נמוך ירושלים מחיר",
    "Arabic": "أحمر أزرق عالي منخفض القاهرة السعر",
    "Japanese": "分類 高い 低い 男 メーカー 為替レート",
    "Chinese": "分类 红色 蓝色 北京 上海 价格",
    "Taiwanese": "分類 紅色 藍色 臺北 高雄 價格",
    "Korean": "분류 높음 낮음 서울 부산 아니오",
    "signs": "°C m³ µm £ ½ l’eau",
}
CASES = """
    German cp1252, German cp850, German mac_roman, French cp1252, French cp850, French mac_roman,
    Spanish cp1252, Spanish cp850, Portuguese cp1252, Portuguese cp850, Swedish cp1252,
    Swedish cp850, Icelandic cp1252, Polish cp1250, Polish iso8859_2, Czech cp1250, Turkish cp1254,
    Russian cp1251, Russian koi8_r, Russian cp866, Ukrainian cp1251, Greek cp1253, Hebrew cp1255,
    Arabic cp1256, Japanese cp932, Japanese euc_jp, Chinese gb18030, Taiwanese big5, Korean cp949,
    signs cp1252
"""


@pytest.mark.parametrize("case", [case.strip() for case in CASES.split(",")])
def test_a_few_words_between_numbers_tell_the_encoding(case: str) -> None:
    language, encoding = case.split()
    words = WORDS[language].split()
    rows = [f"{row};{row * 1.5};{words[row % 5 + 1]}" for row in range(20)]
    made = read_table("\n".join([f"nr;{words[0]} x;b", *rows]).encode(encoding))
    assert list(made.columns) == ["nr", f"{words[0]} x", "b"]
    assert made.frame["b"].tolist() == [words[row % 5 + 1] for row in range(20)]


def test_a_single_accent_is_western() -> None:
    made = read_table("x,y\n1,né\n2,b\n3,né".encode("cp1252"))
    assert made.frame["y"].tolist() == ["né", "b", "né"]
    assert made.decisions["encoding"] == "cp1252"


@pytest.mark.parametrize(
    "header", ["ÅR;LÄN;KÖN", "ÖL;ÄÖÜ;GRÖSSE", "Ár;Staður;Þjóð", "Aldur;Þyngd;Hæð", "£5;¥6;¢7"]
)
def test_few_western_letters_are_not_taken_for_others(header: str) -> None:
    made = read_table(f"{header}\n1;2;a\n3;4;b\n5;6;a\n".encode("cp1252"), header=0)
    assert ";".join(made.columns) == header
