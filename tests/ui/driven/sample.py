# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts in the pictures of the gallery, by language: each conversation is in another state."""

TEXTS = {
    "en": {
        "sources": "When does the ferry leave?", "found": "The first ferry leaves at **6:40**, the last one at 22:15. On Sundays there is none before 9.",
        "markdown": "Show me what you can write", "tools": "When is it open?", "question": "Plan the harbour tour",
        "several": "Book the ferry", "approval": "Write the letter", "batch": "Write to all three", "plan": "What time is it elsewhere?",
        "failed": "Try it anyway", "last": "That is all there is.", "changes": "Tidy up the folder", "landed": "Move the opening hours",
        "done": "It is done.", "edit": "Rename two of the tides", "command": "Count the tides", "misread": "Open later on Sunday",
        "and": "And then the ferry’s timetable, please.",
        "trust": "Look after the quay", "form": "Reserve a place on board", "form-message": "Who travels, and when?",
        "field-name": "Name on the ticket", "field-people": "Passengers", "field-day": "Day of travel", "field-note": "Anything else the crew should know",
        "rules": "Write dates as 2026-11-28. Ask before you touch anything in charts/.\n",
        "ask": "Which harbour shall the tour begin at?", "north": "North harbour", "north-text": "Close to the station, but crowded at noon.",
        "south": "South harbour", "south-text": "Quiet, with a view of the lighthouse. The bus takes forty minutes.",
        "ferry": "Which ferry do you take?", "header-ferry": "Ferry", "with": "What do you take along?", "header-with": "Luggage",
        "bicycle": "Bicycle", "dog": "Dog", "tent": "Tent", "early": "The early one", "late": "The late one",
        "answered": "Reserve a table", "ask-table": "Where shall the table be?", "inside": "Inside", "deck": "On the deck",
        "reserved": "A table on the deck is reserved.",
        "away": "Keep the logbook", "away-hi": "What shall I write down?", "away-more": "Today’s weather, and a page for tomorrow",
        "away-begins": "First I’ll read what is there.", "away-ask": "Shall the storm warning be in it?", "yes": "Yes", "no": "No",
        "letter": "Dear colleagues,\n\nplease send us the forms by Friday. Thank you.", "elsewhere": "What time is it elsewhere?",
        "why": "The model is not available in your region.", "read": "It is open from Monday to Friday, 9 to 17.",
        "thought": "The person wants to see every kind of block. A short example of each will do.",
        "markdown-text": """## The harbour in short

The harbour has **two basins**, a *lighthouse* and `3` cranes. See [the chart](https://example.org/chart) for its depths.

1. Arrive before noon.
2. Ask at the gate:
   - for the key,
   - for the tide table.

- [x] The boat is booked
- [ ] The weather is looked up

> A ship in harbour is safe, but that is not what ships are for.

| Basin | Depth | Open | Remarks |
|-------|------:|------|---------|
| North | 8.5 m | all year | crowded at noon, no place to stay overnight |
| South | 6 m | in summer | quiet |

```python
def depth(basin, tide=0.0):
    \"\"\"What is under the keel.\"\"\"
    return CHART[basin] + tide  # metres, and a comment that is long enough to be wider than a narrow window is
```

That is all there is.""",
    },
    "zh": {
        "sources": "渡轮几点开？", "found": "首班渡轮 **6:40** 出发，末班 22:15。星期日 9 点之前没有渡轮。",
        "markdown": "看看你能写些什么", "tools": "几点开门？", "question": "安排港口之行", "several": "预订渡轮", "approval": "写那封信",
        "batch": "给三个人都写信", "plan": "别处现在几点？", "failed": "还是试一下", "last": "就是这些。", "changes": "整理一下文件夹",
        "landed": "改一下开放时间", "done": "改好了。", "edit": "改两个潮汐的名字", "command": "数一数潮汐", "misread": "周日晚点开门",
        "and": "然后请整理渡轮时刻表。",
        "trust": "照看一下码头", "form": "订一个船上的座位", "form-message": "谁出行，什么时候？",
        "field-name": "船票上的姓名", "field-people": "乘客人数", "field-day": "出行日期", "field-note": "还有什么要告诉船员的",
        "rules": "日期写成 2026-11-28。改动 charts/ 里的内容之前先询问。\n",
        "ask": "行程从哪个港口开始？", "north": "北港", "north-text": "离车站近，但中午人多。", "south": "南港",
        "south-text": "安静，能看到灯塔。坐公交车要四十分钟。", "ferry": "你坐哪一班渡轮？", "header-ferry": "渡轮", "with": "你带些什么？",
        "header-with": "行李", "bicycle": "自行车", "dog": "狗", "tent": "帐篷", "early": "早班", "late": "晚班",
        "answered": "订一张桌子", "ask-table": "桌子订在哪里？", "inside": "舱内", "deck": "甲板上", "reserved": "甲板上的桌子订好了。",
        "away": "写航海日志", "away-hi": "要记下什么？", "away-more": "今天的天气，再给明天留一页", "away-begins": "我先看看已有的内容。",
        "away-ask": "要写上大风预警吗？", "yes": "要", "no": "不要",
        "letter": "各位同事：\n\n请在周五之前把表格交给我们。谢谢。", "elsewhere": "别处现在几点？", "why": "该模型在你所在的地区不可用。",
        "read": "周一至周五 9 点到 17 点开放。", "thought": "用户想看到每一种内容。每种举一个简短的例子就够了。",
        "markdown-text": """## 港口概况

港口有**两个港池**、一座*灯塔*和 `3` 台起重机。水深见[海图](https://example.org/chart)。

1. 中午之前到达。
2. 在门口领取：
   - 钥匙，
   - 潮汐表。

- [x] 船已订好
- [ ] 天气查过了

> 停在港口的船是安全的，但船不是为此而造的。

| 港池 | 水深 | 开放时间 | 备注 |
|------|-----:|------|------|
| 北 | 8.5 米 | 全年 | 中午人多，不能过夜 |
| 南 | 6 米 | 夏季 | 安静 |

```python
def depth(basin, tide=0.0):
    \"\"\"龙骨下面的水深。\"\"\"
    return CHART[basin] + tide  # 单位是米；这条注释足够长，比窄的窗口还要宽一些，因此要横向滚动
```

就是这些。""",
    },
    "rtl": {
        "sources": "מתי יוצאת המעבורת?", "found": "המעבורת הראשונה יוצאת ב־**6:40**, והאחרונה ב־22:15.",
        "markdown": "הראה לי מה אתה יודע לכתוב", "tools": "מתי זה פתוח?", "question": "תכנן את הסיור בנמל", "several": "הזמן את המעבורת",
        "approval": "כתוב את המכתב", "batch": "כתוב לשלושתם", "plan": "מה השעה במקום אחר?", "failed": "נסה בכל זאת", "last": "זה הכול.",
        "changes": "סדר את התיקייה", "landed": "שנה את שעות הפתיחה", "done": "בוצע.", "edit": "שנה שמות של שתי גאויות", "command": "ספור את הגאויות", "misread": "פתח מאוחר יותר ביום ראשון",
        "and": "ואחר כך את לוח הזמנים של המעבורת.",
        "trust": "טפל ברציף", "form": "הזמן מקום על הסיפון", "form-message": "מי נוסע, ומתי?",
        "field-name": "השם על הכרטיס", "field-people": "נוסעים", "field-day": "יום הנסיעה", "field-note": "עוד משהו שהצוות צריך לדעת",
        "rules": "כתוב תאריכים כך: 2026-11-28. שאל לפני שאתה נוגע ב־charts/.\n",
        "ask": "באיזה נמל יתחיל הסיור?", "north": "הנמל הצפוני", "north-text": "קרוב לתחנה, אבל צפוף בצהריים.", "south": "הנמל הדרומי",
        "south-text": "שקט, עם נוף למגדלור. הנסיעה באוטובוס אורכת ארבעים דקות.", "ferry": "באיזו מעבורת תיסע?", "header-ferry": "מעבורת",
        "with": "מה תיקח איתך?", "header-with": "מטען", "bicycle": "אופניים", "dog": "כלב", "tent": "אוהל", "early": "המוקדמת",
        "late": "המאוחרת", "answered": "הזמן שולחן", "ask-table": "איפה יהיה השולחן?", "inside": "בפנים", "deck": "על הסיפון",
        "reserved": "הוזמן שולחן על הסיפון.",
        "away": "נהל את היומן", "away-hi": "מה לרשום?", "away-more": "מזג האוויר של היום, ודף למחר", "away-begins": "קודם אקרא מה שיש.",
        "away-ask": "לכלול את אזהרת הסערה?", "yes": "כן", "no": "לא",
        "letter": "עמיתים יקרים,\n\nנא לשלוח את הטפסים עד יום שישי. תודה.", "elsewhere": "מה השעה במקום אחר?",
        "why": "המודל אינו זמין באזור שלך.", "read": "פתוח בימים שני עד שישי, 9 עד 17.",
        "thought": "האדם רוצה לראות כל סוג של טקסט. דוגמה קצרה לכל אחד תספיק.",
        "markdown-text": """## הנמל בקצרה

בנמל יש **שתי בריכות**, *מגדלור* ו־`3` מנופים. העומקים נמצאים [במפה](https://example.org/chart).

1. הגיעו לפני הצהריים.
2. בקשו בשער:
   - את המפתח,
   - את לוח הגאות.

- [x] הסירה הוזמנה
- [ ] מזג האוויר נבדק

> ספינה בנמל בטוחה, אבל לא לשם כך נבנו ספינות.

| בריכה | עומק | פתוח | הערות |
|-------|------:|------|---------|
| צפון | 8.5 מ׳ | כל השנה | צפוף בצהריים, אי אפשר ללון |
| דרום | 6 מ׳ | בקיץ | שקט |

```python
def depth(basin, tide=0.0):
    \"\"\"What is under the keel.\"\"\"
    return CHART[basin] + tide  # metres, and a comment that is long enough to be wider than a narrow window is
```

זה הכול.""",
    },
}
CONVERSATIONS = ["edit", "misread", "command", "sources", "landed", "changes", "tools", "failed", "plan", "batch", "approval", "several", "question", "trust",
                 "answered", "form", "away", "markdown"]
TIDYING = """sed -i 's/9 to 17/10 to 18/' opening-hours.txt; mkdir -p build/charts; seq 120 | split -l 1 - build/charts/chart-
printf 'export HARBOUR=north\\n' > .envrc; head -c 9000 /dev/urandom > harbour.png; printf '#!/bin/sh\\necho low\\n' > tide.sh; chmod +x tide.sh
ln -s opening-hours.txt hours; sed -i -e 's/^tide 2$/tide two/' -e 's/^tide 40$/tide forty/' tides.txt; rm old.txt
mkdir -p archive; mv ferry.txt archive/; mv north.txt n; mv south.txt north.txt; mv n south.txt; rm pier; mkdir pier
printf 'Open from May\n' > pier/notes.txt; mkdir -p gulls/rings; seq 1100 | split -a 3 -l 1 - gulls/rings/ring-"""
TIDES = "".join(f"tide {number}\n" for number in range(1, 50))
RENAMED = TIDES.replace("tide 2\n", "tide two\n").replace("tide 40\n", "tide forty\n")
LOGBOOK = "27 November: calm\n28 November: \n"
WRITTEN = LOGBOOK.replace("28 November: ", "28 November: wind from the west")
TOMORROW = "december/the-first-page-of-a-new-month-in-the-harbour.txt"
COPYING = "mkdir -p copies; cp logbook.txt copies/logbook-of-november.txt; echo 'Copied.' >> logbook.txt"
COUNTING = "grep -c '^tide' tides.txt && sort --reverse --key=2 --numeric-sort tides.txt | head --lines=3 > highest.txt"
SOURCES = [{"type": "url_citation", "url_citation": {"url": url, "title": title}} for url, title in (
    ("https://ferries.example.org/timetable/winter", "Winter timetable of the harbour ferries"),
    ("https://www.harbour.example/passengers", "For passengers"),
    ("https://news.example.com/2026/a-very-long-address-of-an-article-about-the-ferry", "Ferry: what changes in December"))]
SEARCHES = {"prompt_tokens": 1200, "completion_tokens": 60, "server_tool_use": {"web_search_requests": 2}}
ZONES = {"utc": "UTC", "berlin": "Europe/Berlin", "shanghai": "Asia/Shanghai"}


def marks(language):
    """By what it is seen that a conversation is there."""
    text = TEXTS[language]
    return {"sources": text["found"][-12:], "markdown": text["last"], "tools": text["read"], "question": text["ask"], "several": text["ferry"], "approval": "letter.txt",
            "batch": "anna.txt", "plan": text["elsewhere"], "failed": text["failed"], "changes": ".envrc", "landed": text["done"],
            "edit": "tides.txt", "misread": "opening-hours.txt", "command": "highest.txt", "trust": "AGENTS.md", "form": text["form"],
            "answered": text["ask-table"], "away": text["away-hi"]}


def call(name, identifier, arguments):
    return {"call": name, "id": identifier, "arguments": arguments}


def form(language):
    """The fields that a server of tools asks for."""
    text = TEXTS[language]
    return {"message": text["form-message"], "requestedSchema": {"type": "object", "required": ["name", "day"], "properties": {
        "name": {"type": "string", "title": text["field-name"], "maxLength": 60},
        "people": {"type": "integer", "title": text["field-people"], "minimum": 1, "maximum": 9, "default": 2},
        "day": {"type": "string", "format": "date", "title": text["field-day"]},
        "ferry": {"type": "string", "title": text["header-ferry"],
                  "oneOf": [{"const": "early", "title": text["early"]}, {"const": "late", "title": text["late"]}]},
        "bicycle": {"type": "boolean", "title": text["bicycle"]},
        "note": {"type": "string", "title": text["field-note"]}}}}


def script(language):
    """The model's replies, and what is said first in each conversation."""
    text = TEXTS[language]
    choices = [{"label": text["north"], "description": text["north-text"]},
               {"label": text["south"], "description": text["south-text"], "recommended": True}]
    several = [{"question": text["ferry"], "header": text["header-ferry"], "choices": [text["early"], text["late"]]},
               {"question": text["with"], "header": text["header-with"], "multiple": True,
                "choices": [text["bicycle"], text["dog"], text["tent"]]}]
    steps = [{"id": name, "tool": "get_current_time", "arguments": {"timezone": zone}} for name, zone in ZONES.items()]

    def says(name, *calls):
        return {"user": text[name], "calls": list(calls)}

    replies = [
        {"user": text["markdown"], "steps": [{"reasoning": text["thought"]}, {"text": text["markdown-text"]}, {"finish": "stop"},
                                             {"usage": [420, 310]}, {"done": True}]},
        says("tools", call("list_files", "call_list", {}), call("read_file", "call_read", {"path": "opening-hours.txt"}),
             call("read_file", "call_none", {"path": "tide-table.txt"})),
        {"result": "", "user": text["tools"], "text": text["read"]},
        says("question", call("ask_user", "call_ask", {"question": text["ask"], "choices": choices})),
        says("answered", call("ask_user", "call_table", {"question": text["ask-table"], "choices": [text["inside"], text["deck"]]})),
        {"result": text["deck"], "user": text["answered"], "text": text["reserved"]},
        {"user": text["away"], "text": text["away-hi"]},
        {"user": text["away-more"], "steps": [
            {"text": text["away-begins"]}, {"hold": "away"}, call("read_file", "call_book", {"path": "logbook.txt"}),
            call("write_file", "call_written", {"path": "logbook.txt", "content": WRITTEN}),
            call("write_file", "call_tomorrow", {"path": TOMORROW, "content": "1 December\n\n"}),
            call("run_command", "call_copy", {"command": COPYING}), {"finish": "tool_calls"}, {"done": True}]},
        {"result": "", "user": text["away-more"],
         "calls": [call("ask_user", "call_storm", {"question": text["away-ask"], "choices": [text["yes"], text["no"]]})]},
        says("several", call("ask_user", "call_several", {"questions": several})),
        says("approval", call("write_file", "call_letter", {"path": "letter.txt", "content": text["letter"]})),
        says("batch", *(call("write_file", f"call_{name}", {"path": f"{name}.txt", "content": text["letter"]})
                        for name in ("anna", "bela", "chen"))),
        says("plan", call("propose_plan", "call_plan", {"title": text["elsewhere"], "steps": steps})),
        says("changes", call("run_command", "call_tidy", {"command": TIDYING})),
        says("edit", call("write_file", "call_edit", {"path": "tides.txt", "content": RENAMED})),
        says("misread", call("edit_file", "call_misread", {"path": "opening-hours.txt", "old_text": "Sunday, 10 to 16",
                                                           "new_text": "Sunday, 11 to 16"})),
        says("form", call("harbour__ask", "call_form", {})),
        says("command", call("run_command", "call_count", {"command": COUNTING})),
        says("landed", call("run_command", "call_land", {"command": "sed -i s/Friday/Saturday/ opening-hours.txt; touch moved; rm older.txt"})),
        {"result": "", "user": text["landed"], "text": text["done"]},
        {"user": text["sources"], "steps": [{"text": text["found"]}, {"data": {"choices": [{"delta": {"annotations": SOURCES}}]}},
                                            {"finish": "stop"}, {"data": {"choices": [], "usage": SEARCHES}}, {"done": True}]},
        {"user": text["failed"], "status": 400, "body": {"error": {"message": text["why"]}}},
    ]
    return replies, {name: text[name] for name in CONVERSATIONS}
