# SPDX-License-Identifier: MIT
"""What stands around a name: whether it may go on there, and so be somebody else's.

Scripts without spaces show no end of a name. A Chinese name of two letters inside one of three is
another person; only what cannot be part of a name (a sign, a particle, a common word of two
letters) ends it for sure. What is not known here makes a find unsure, never sure.
"""

from __future__ import annotations

import re
from typing import Final

_HAN: Final = re.compile("[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_KANA: Final = re.compile("[\u3040-\u30ff\u31f0-\u31ff]")
_HANGUL: Final = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
_NO_SPACES: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")

_PARTICLES: Final = frozenset("的了吗呢吧们很把被没说是问给叫要")
"""Letters that no given name has."""
_AND: Final = frozenset("和与跟及同")
"""Between two names; a given name may have them, but no surname follows then."""
_PARTICLES_KO: Final = frozenset("은는이가을를의에게와과도로님씨께")
_PAIRS: Final = (
    "喜欢喜爱讨厌不喜不是不在不要不会不能不再不想住在住址家住说过说道认为觉得希望想要要求需要"
    "可以应该已经正在曾经将要将于偏好使用负责参加加入离开离职入职工作来自出生生于毕业电话手机"
    "号码邮箱邮件地址生日身份住院过敏患有先生女士小姐同学老师经理总监主任教授医生博士师傅同事"
    "朋友以及因为所以但是而且或者还是就是也是都是是个是一是我是在有一有个有两和我和他和她与我"
    "与他跟我跟他对我对他给我给他今天昨天明天上周下周去年今年每天每周经常总是从不从来一直刚刚"
    "最近后来之前之后然后时候告诉提到提出提醒要我让我请我联系联络预约购买订购申请请求同意拒绝"
    "删除忘记记得记住回复发送收到打算计划准备开始完成结束更新修改"
)
_WORDS: Final = frozenset(_PAIRS[at : at + 2] for at in range(0, len(_PAIRS), 2))
"""What begins the rest of a sentence, and not the rest of a name."""
_SURNAMES: Final = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗"
    "凤花方俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于傅皮卞齐康伍余元卜顾孟平黄穆萧尹姚邵湛汪祁毛禹狄"
    "米贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞"
    "万支柯昝管卢莫房裘缪干解应宗丁宣邓郁单杭洪包诸左石崔吉钮龚程嵇邢裴陆荣翁荀羊惠甄曲家封芮羿储靳汲邴糜松井段"
    "富巫乌焦巴弓牧隗山谷车侯宓蓬全郗班仰秋仲伊宫宁仇栾暴甘厉戎祖武符刘景詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲邰鄂索"
    "咸籍赖卓蔺屠蒙池乔阴胥能苍双闻莘党翟谭贡劳逄姬申扶堵冉宰郦雍璩桑桂濮牛寿通边扈燕冀郏浦尚农温别庄晏柴瞿阎充"
    "慕连茹习宦艾鱼容向古易慎戈廖庾终暨居衡步耿满弘匡国文寇广禄阙东欧利蔚越夔隆师巩厍聂晁勾敖融冷訾辛阚那简饶空"
    "曾毋沙乜养鞠须丰巢关蒯相查荆红游竺权逯盖益桓公肖覃付代候佟闫阳官孤葛迟淳丘宇"
    "趙錢孫鄭馮陳衛蔣韓楊許呂張嚴華謝鄒蘇魯馬鳳羅畢樂齊黃蕭戴鐘鍾駱萬盧應鄧單洪諸陸榮劉葉龍賴譚"
)
"""Before a name they may begin a longer one."""
_SHORT: Final = 2
"""A Chinese name of so many letters may be the beginning of a longer one; one of three is whole."""

_TITLES: Final = (
    "mr mrs ms miss mx dr prof professor sir madam herr frau mme monsieur dear hi hello"
)
_OPENERS: Final = """
    the a an this that these those my our your his her its their user client customer colleague
    employee manager patient call contact ask tell told met meet email write remind invite send
    give ping thank thanks from to with without for by about of on in at as and but or if when
    while since because after before per via re name contact: email: phone: is was has had not
    """
_LEVELS: Final = "trace debug info notice warn warning error critical fatal"
"""What a log writes before a text."""
_NO_NAMES: Final = frozenset(f"{_TITLES} {_OPENERS} {_LEVELS}".split())
"""Words that begin a sentence or stand before a name, and are part of none."""


def has_spaces(letter: str) -> bool:
    """Whether words of its script are told apart by spaces."""
    return not any(s.match(letter) for s in (_HAN, _KANA, _HANGUL, _NO_SPACES))


def is_han(text: str) -> bool:
    """Whether every letter is Chinese."""
    return bool(text) and all(_HAN.match(letter) for letter in text)


def goes_on(folded: str, start: int, end: int) -> bool:
    """Whether a name in a script without spaces may be a part of a longer one there."""
    name = folded[start:end].replace(" ", "")
    if is_han(name):
        return _han_before(folded, start, name) or _han_after(folded, end, name)
    before, after = folded[max(0, start - 1) : start], folded[end : end + 1]
    for script in (_HANGUL, _KANA, _NO_SPACES):
        if script.match(name[:1]) and before and script.match(before):
            return True
        if script.match(name[-1:]) and after and script.match(after):
            return not (script is _HANGUL and after in _PARTICLES_KO and len(name) > _SHORT)
    return False


def _han_before(folded: str, start: int, name: str) -> bool:
    letter = folded[max(0, start - 1) : start]
    return len(name) <= _SHORT and letter in _SURNAMES and bool(letter)


def _han_after(folded: str, end: int, name: str) -> bool:
    letter = folded[end : end + 1]
    if not letter or not _HAN.match(letter) or len(name) > _SHORT:
        return False
    if letter in _AND and folded[end + 1 : end + 2] in _SURNAMES and folded[end + 1 : end + 2]:
        return False
    return letter not in _PARTICLES and folded[end : end + 2] not in _WORDS


def inside_word(folded: str, start: int, end: int) -> bool:
    """Whether letters or digits of the same script go on at either end."""
    return _joined(folded, start - 1, start) or _joined(folded, end - 1, end)


def _joined(folded: str, left: int, right: int) -> bool:
    if left < 0 or right >= len(folded):
        return False
    one, other = folded[left], folded[right]
    return _is_word(one) and _is_word(other) and has_spaces(one) and has_spaces(other)


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


_AFTER: Final = re.compile(r"[ \t\u00a0-]([^\W\d_][\w'’-]*)")
_BEFORE: Final = re.compile(r"([^\W\d_][\w'’-]*)[ \t\u00a0-]$")
_LOOK: Final = 40


def beside_capital(text: str, start: int, end: int) -> bool:
    """Whether a word with a capital stands beside a name that has capitals: a part of it, perhaps.

    ``text`` is as it was written. All in capitals, or all in small letters, tells nothing.
    """
    own = text[start:end]
    if not own[:1].isupper() or own.isupper():
        return False
    after = _AFTER.match(text, end)
    if after and after[1][:1].isupper():
        return True
    before = _BEFORE.search(text[max(0, start - _LOOK) : start])
    if not before or not before[1][:1].isupper():
        return False
    word = before[1].lower()
    return word not in _NO_NAMES
