/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tour-texts.h"

#define ADD_PROVIDER "`beckonctl profile add NAME --preset anthropic --key-from-stdin --use`"
#define ADD_LOCAL "`beckonctl profile add NAME --preset ollama --use`"
#define TURN_ASKING_ON "`gsettings set io.github.beckon.Beckon enable-ask-user true`"

#define SUMMARY_EN \
  "\n\nThat was the tour: a message, a question that waited for you, a tool, and a plan.\n\n**What comes next**\n\n"
#define SUMMARY_ZH "\n\n导览到此结束：一条消息、一个一直等你回答的问题、一个工具，还有一个计划。\n\n**接下来**\n\n"
#define NOT_A_MODEL_EN "This is the offline tour, not a model: I follow a script, and I cannot do what you ask.\n\n"
#define NOT_A_MODEL_ZH "这里是离线导览，不是模型：我只会照着脚本说话，做不了你要的事。\n\n"
#define SHOW_ME_EN "\n\nTo see how Beckon works first, say “Show me around”."
#define SHOW_ME_ZH "\n\n想先了解 Beckon，请说“带我看看”。"
#define ASKING_IS_OFF_EN \
  "Here I would ask you a question, but **asking is switched off**, or nobody could answer where this runs, so the tool for " \
  "it was not offered to me. "
#define ASKING_IS_OFF_ZH \
  "我本来要在这里问你一个问题，但是**提问功能已关闭**，或者运行的地方没有人能回答，所以没有把这个工具提供给我。"

const BeckonTourWords beckon_tour_texts_en = {
  .greeting = "Hello, and welcome to **Beckon**.\n\n"
              "This is the offline tour: what you read now was written in advance and comes from this computer. No "
              "model is connected yet, and nothing leaves your machine. Everything else is real.\n\n"
              "Beckon is an agent that works on its own and **stops to ask when a decision is yours**:\n\n"
              "- you say what you want to get done;\n"
              "- it works step by step and calls *tools* on the way, each of which you can see;\n"
              "- where your judgement counts, it asks, waits as long as you like, and goes on with your answer.\n\n",
  .before_question = "That is best seen by doing it, so here is a question for you. Pick a choice, or type an answer "
                     "of your own. You can also close Beckon now: the question will still be here when you come back.",
  .question = "What would you like an agent to help you with first?",
  .choices = { "Writing", "Files and folders", "Planning" },
  .reactions = {
    "You picked **Writing**. With a model connected you could say “Write a note to the landlord about the heating”, "
    "and Beckon would ask you how firm it should sound before it begins.",
    "You picked **Files and folders**. With a model connected you could describe a mess and how you would like it "
    "sorted, and Beckon would ask you whenever two ways make sense.",
    "You picked **Planning**. With a model connected you could say “Plan three days in Lisbon”, and Beckon would ask "
    "you about your pace and your budget instead of guessing.",
  },
  .noted = "You added: “%s”. A note like that reaches the model together with your choice.",
  .typed = "You answered in your own words: “%s”. A model gets exactly that text as the answer to its question, and "
           "goes on from there.",
  .delegated = "You left the choice to me, so I take the first one. An agent is told that you did not mind, which is "
               "not the same as having picked something yourself.",
  .skipped = "You skipped the question. That is fine: an agent is told so, and does not take it for a yes.",
  .asked_back = "You asked back: “%s”. A model would answer that here. I am only a script, so all I can say is that "
                "any answer will do: it decides nothing but what I say next. Here is the question once more.",
  .dismissed = "You dismissed the question, and the run stopped there, as it should: nobody chose anything for you.",
  .unavailable = "Nobody could answer the question here, so I go on without it. An agent is told that as well.",
  .asking_is_off = { ASKING_IS_OFF_EN "Turn on *Decide Together With the Agent* in Preferences → Credentials, then say “Show "
                                      "me around” again.",
                     ASKING_IS_OFF_EN "Talk to me with `beckonctl chat`, or turn asking on with " TURN_ASKING_ON
                                      ", then say “Show me around” again." },
  .before_time = "Now a tool that needs no decision: I look at the clock of this computer.",
  .time = "The tool says: `%s`. You'll find the call and its result above.",
  .time_failed = "The clock could not be read, and the tool said why. An agent sees such errors and can try something "
                 "else.",
  .before_plan = "Last, a **plan**. Work of several steps is laid before you first: skip, change, add or move steps, then "
                 "accept it. It then asks you where a rule does, and stops before a step where you set a pause. These "
                 "steps only look at the clock.",
  .plan_title = "What time is it elsewhere?",
  .plan_expect = { "The time here", "The time in Shanghai", "The time by which computers agree" },
  .planned = "The plan was carried out as you left it, and I was told what you changed in it.",
  .not_planned = "The plan was not carried out to its end, and I was told why. Nothing went on behind your back.",
  .summary = { SUMMARY_EN "1. Open *Preferences → Credentials* and add a model: a provider with a key, or a server on this "
                          "computer such as Ollama or llama.cpp.\n"
                          "2. Start a new conversation and choose it.\n"
                          "3. Say what you want to get done.",
               SUMMARY_EN "1. Type /quit and add a model: " ADD_PROVIDER " for a provider with a key, or " ADD_LOCAL
                          " for a server on this computer.\n"
                          "2. Start `beckonctl chat`, with `--folder` for a folder to work in.\n"
                          "3. Say what you want to get done." },
  .not_a_model = { NOT_A_MODEL_EN "To work for real, connect a model in **Preferences → Credentials**: a provider with a "
                                  "key, or a server on this computer such as Ollama or llama.cpp. Then start a new "
                                  "conversation with it." SHOW_ME_EN,
                   NOT_A_MODEL_EN "To work for real, type /quit and connect a model: " ADD_PROVIDER " for a provider with "
                                  "a key, or " ADD_LOCAL " for a server on this computer. Then start `beckonctl chat` "
                                  "again." SHOW_ME_EN },
};

const BeckonTourWords beckon_tour_texts_zh = {
  .greeting = "你好，欢迎使用 **Beckon**。\n\n"
              "这是离线导览：你现在读到的内容是预先写好的，就在这台电脑上。还没有连接任何模型，也没有任何内容离开你的电脑。"
              "其余的一切都是真的。\n\n"
              "Beckon 是一个会自己工作的 Agent，**遇到该由你决定的事情，它会停下来问你**：\n\n"
              "- 你说出想完成的事；\n"
              "- 它一步一步地做，途中会调用*工具*，每一次调用你都看得到；\n"
              "- 需要你判断的地方，它会提问，等多久都可以，然后按你的回答继续。\n\n",
  .before_question = "做一遍最清楚，所以先问你一个问题。可以点选一项，也可以输入自己的回答。现在关掉 Beckon 也没关系："
                     "再打开时，这个问题还在这里。",
  .question = "你最想先让 Agent 帮你做什么？",
  .choices = { "写作", "文件和文件夹", "做计划" },
  .reactions = {
    "你选了**写作**。连接模型之后，你可以说“给房东写一封关于暖气的信”，Beckon 会先问你语气要多坚决，再动笔。",
    "你选了**文件和文件夹**。连接模型之后，你可以描述哪里乱、想怎么整理，遇到两种做法都说得通的时候，Beckon 会来问你。",
    "你选了**做计划**。连接模型之后，你可以说“安排三天的里斯本之行”，Beckon 会问你的节奏和预算，而不是去猜。",
  },
  .noted = "你还补充了：“%s”。这样的补充会和你的选择一起交给模型。",
  .typed = "你用自己的话回答：“%s”。模型会原样收到这段文字，作为它那个问题的回答，然后继续。",
  .delegated = "你让我来选，那我就选第一项。Agent 会知道你把决定交给了它，这和你自己选了某一项不是一回事。",
  .skipped = "你跳过了这个问题。没关系：Agent 会知道这一点，不会当作你同意了。",
  .asked_back = "你反问：“%s”。换作模型，会在这里回答你。我只是一份脚本，只能说怎么回答都可以：它只决定我接下来说什么。"
                "下面再问一次。",
  .dismissed = "你关掉了这个问题，运行就在那里停下了，本来就该这样：没有人替你做决定。",
  .unavailable = "这里没有人能回答问题，所以我先继续。Agent 同样会知道这一点。",
  .asking_is_off = { ASKING_IS_OFF_ZH "请在“首选项 → 凭据”里打开“Agent 人机协作决策”，然后再说一次“带我看看”。",
                     ASKING_IS_OFF_ZH "请用 `beckonctl chat` 和我对话，或者用 " TURN_ASKING_ON
                                      " 打开提问功能，然后再说一次“带我看看”。" },
  .before_time = "再来看一个不需要你决定的工具：我看一下这台电脑的时间。",
  .time = "工具的结果是：`%s`。上面有这次调用和它的结果。",
  .time_failed = "没能读到时间，工具说明了原因。Agent 看得到这样的错误，可以换一种办法。",
  .before_plan = "最后是一个**计划**。要分几步做的事，会先摆在你面前：可以跳过、修改、添加、移动步骤，然后接受。之后只有规则要求时，"
                 "或者到了你设了暂停的步骤，它才会停下来问你。这里的步骤只是看看时间。",
  .plan_title = "别处现在几点？",
  .plan_expect = { "这里的时间", "上海的时间", "计算机之间约定的时间" },
  .planned = "计划已按你的意思执行完毕，我也知道你改了什么。",
  .not_planned = "计划没有执行到底，我也知道原因。没有任何事情背着你进行。",
  .summary = { SUMMARY_ZH "1. 打开“首选项 → 凭据”，添加一个模型：带密钥的服务商，或者这台电脑上的服务，例如 Ollama 或 llama.cpp。\n"
                          "2. 新建一个对话，选用它。\n"
                          "3. 说出你想完成的事。",
               SUMMARY_ZH "1. 输入 /quit，再添加一个模型：带密钥的服务商用 " ADD_PROVIDER "，这台电脑上的服务用 " ADD_LOCAL "。\n"
                          "2. 启动 `beckonctl chat`，要在某个文件夹里工作就加上 `--folder`。\n"
                          "3. 说出你想完成的事。" },
  .not_a_model = { NOT_A_MODEL_ZH "要真正开始工作，请在**首选项 → 凭据**里连接一个模型：带密钥的服务商，或者这台电脑上的服务，例如 "
                                  "Ollama 或 llama.cpp。然后用它新建一个对话。" SHOW_ME_ZH,
                   NOT_A_MODEL_ZH "要真正开始工作，请输入 /quit，再连接一个模型：带密钥的服务商用 " ADD_PROVIDER
                                  "，这台电脑上的服务用 " ADD_LOCAL "。然后重新启动 `beckonctl chat`。" SHOW_ME_ZH },
};
