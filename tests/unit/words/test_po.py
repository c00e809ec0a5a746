# SPDX-License-Identifier: MIT
"""Our reader of ``.po`` files, held against Babel's."""

from babel.messages.pofile import read_po

from memory_gui.resources import resource_files
from memory_gui.words.po import messages_of


def babels(file):
    with file.open("rb") as stream:
        for message in read_po(stream, locale="zh_CN", abort_invalid=True):
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            said = message.string if isinstance(message.string, tuple) else (message.string,)
            if ids[0] and said[-1]:
                yield ids[0], said[-1]


def test_all_our_files_read_the_same():
    files = resource_files("words/zh_CN", ".po")
    assert len(files) > 20
    for file in files:
        assert list(messages_of(file.read_text(encoding="utf-8"))) == list(babels(file)), file.name


def test_lines_escapes_and_counts():
    text = (
        'msgid ""\nmsgstr "Language: zh_CN\\n"\n\n# a remark\n#: where.py:1\n'
        'msgid "one \\"two\\"\\n"\n"three \\\\n"\nmsgstr "一"\n"二\\t"\n\n'
        'msgid "{n} file"\nmsgid_plural "{n} files"\nmsgstr[0] "{n} 个"\n\n'
        'msgid "not yet"\nmsgstr ""\n\n#~ msgid "gone"\n#~ msgstr "没了"\n\n'
        'msgid "end"\nmsgstr "末"'
    )
    assert list(messages_of(text)) == [
        ('one "two"\nthree \\n', "一二\t"),
        ("{n} file", "{n} 个"),
        ("end", "末"),
    ]
