"""The first start: one question and its answer, the tour, and the ways from there to everything else."""

import time

from hands import expect, has_widget


def answered(report):
    """Waits until the answer is complete and nothing moves any more."""
    return report["asking"] == "answered" and report["opening"]["seconds"] >= 3.6 and report["settled"]


def asks_a_newcomer_one_question(stage):
    stage.home.forget()
    with stage.start() as program:
        seen = program.until(lambda r: r["asking"] == "asked" and r["settled"], "the question of the first start")
        for name in ("screen.0", "screen", "menu", "undo", "play"):
            expect(not has_widget(seen, name), f"{name} stands there before anybody has gone on")
        # A wrong answer: the guess is shown beside the correct one.
        program.click("question.word.2")
        program.until(lambda r: r["opening"]["guess"] == 2, "the guess")
        start = time.monotonic()
        program.key("space", lambda r: r["asking"] == "answered", "the answer on its way")
        seen = program.until(answered, "the answer")
        taken = time.monotonic() - start
        expect(seen["opening"]["guess"] == 2, "the guess was forgotten")
        expect(taken < 8, f"the answer took {taken:.1f} s")
        expect(not seen["playing"], "the walk began by itself")
        # The correct answer.
        program.key("Home", lambda r: r["asking"] == "asked" and r["opening"]["guess"] == 0, "the question again")
        program.click("question.word.5")
        program.until(lambda r: r["opening"]["guess"] == 5, "another guess")
        program.click("question.see")
        program.until(lambda r: answered(r) and r["opening"]["guess"] == 5, "the answer to it")
        # Any word can be the query, any head can be selected, and a word can be exchanged.
        program.click("question.word.7")
        program.until(lambda r: r["opening"]["word"] == 7 and answered(r), "the arcs of he")
        program.click("question.head.2")
        program.until(lambda r: r["head"] == 2 and answered(r), "the answer of head 2")
        program.key("Up", lambda r: r["head"] == 1, "head 1")
        before = program.settled()["text"]
        program.click("question.change.1")
        seen = program.until(lambda r: r["text"] != before and answered(r), "another word")
        expect(len(seen["text"].split()) == len(before.split()), f"not one word: {seen['text']}")
        program.write("the girl saw the dog and it ran")
        program.until(lambda r: answered(r) and r["opening"]["guess"] == 0, "the arcs of one's own words")
        program.leave_opening_field()
        # Into the matrix: tabs and timeline appear.
        program.key("space", lambda r: r["asking"] in ("leaving", "none"), "the way inside")
        seen = program.until(lambda r: r["asking"] == "none" and r["settled"], "the matrix")
        expect(seen["screen"] == "flow" and seen["step"] == "weights.h1", f"not the weights: {seen['step']}")
        expect(seen["flow"]["asked"] == 7, f"another word is followed: {seen['flow']}")
        expect(seen["pinned"]["row"] == 7, f"not the row that asked: {seen['pinned']}")
        expect(has_widget(seen, "screen.0"), "the tabs have not come")
        program.key("q", lambda r: r["asking"] == "asked", "the question once more")
        program.click("question.look")
        program.until(lambda r: r["asking"] == "none", "the numbers")
        program.quit()
    with stage.start() as program:
        expect(program.settled()["asking"] == "none", "it is asked again at the second start")


def answers_a_chinese_newcomer(stage):
    stage.home.forget()
    with stage.start(LANG="zh_CN.UTF-8") as program:
        seen = program.until(lambda r: r["asking"] == "asked" and r["settled"], "the question")
        expect(seen["text"] == "男孩看见小鸟，他喜欢它", seen["text"])
        program.click("question.word.1")
        program.until(lambda r: r["opening"]["guess"] == 1, "the guess")
        program.key("space", answered, "the answer")
        program.key("space", lambda r: r["asking"] == "none" and r["settled"], "the matrix")


def shows_a_newcomer_round(stage):
    stage.home.forget()
    with stage.start() as program:
        expect(program.settled()["offers_tour"], "nobody offers the tour at the first start")
        program.click("question.look")
        program.until(lambda r: r["asking"] == "none", "the stage")
        program.click("tour_show")
        program.until(lambda r: (r["sheet"], r["tour"]) == ("tour", 1), "the tour")
        for place in range(2, 7):
            program.click("tour_next")
            program.until(lambda r, place=place: r["tour"] == place, f"place {place}")
        program.key("Left", lambda r: r["tour"] == 5, "the place before")
        program.key("Escape", lambda r: r["sheet"] == "none", "the window")
        program.quit()
    with stage.start() as program:
        expect(not program.settled()["offers_tour"], "it is offered again at the second start")


def offers_the_first_chapter(stage):
    for language, environment in (("en", {}), ("zh", {"LANG": "zh_CN.UTF-8"})):
        stage.home.forget()
        with stage.start(**environment) as program:
            first = program.settled()
            expect(first["offers_tour"] and first["language"] == language, "nothing is offered at the first start")
            program.click("question.look")
            program.until(lambda r: r["asking"] == "none", "the stage")
            program.click("tour_learn")
            seen = program.until(lambda r: r["course"]["chapter"] == "who-is-it" and r["settled"], "the first chapter")
            expect(not seen["offers_tour"], "the card is still there")


def leads_a_newcomer_by_clicks_alone(stage):
    """From the first start to the user's own sentence, the course, a training and a model, using only what is on the screen;
    clicks are counted."""
    for language, environment in (("en", {}), ("zh", {"LANG": "zh_CN.UTF-8"})):
        stage.home.forget()
        with stage.start(**environment) as program:
            clicks = []

            def click(widget, holds, what, program=program, clicks=clicks):
                program.click(widget)
                clicks.append(widget)
                return program.until(holds, what)

            seen = program.until(lambda r: r["asking"] == "asked" and r["settled"], "the question of the first start")
            expect(seen["language"] == language and seen["level"] == "first", f"it begins with {seen['level']}")
            # The user's own sentence, and its answer.
            click("home", lambda r: r["screen"] == "home" and r["settled"], "home")
            click("home.try", lambda r: r["typing"] and r["asking"] == "asked", "the caret in the sentence")
            own = "the girl found the cat and she fed it"
            program.key("ctrl+a", lambda r: r["typing"], "all of it")
            program.type(own)
            program.until(lambda r: r["text"] == own and r["settled"], "one's own sentence")
            program.key("Return", answered, "its answer")
            expect(len(clicks) == 2, f"{len(clicks)} clicks to one's own sentence")
            # The course starts at its first chapter.
            click("learn", lambda r: r["course"]["chapter"] == "who-is-it" and r["course"]["page"] == 1 and r["settled"], "the first chapter")
            expect(len(clicks) == 3, f"{len(clicks)} clicks to the first chapter")
            # A training, and a model.
            click("home", lambda r: r["screen"] == "home" and r["settled"], "home again")
            click("home.train", lambda r: r["screen"] == "train" and r["settled"], "the training")
            click("train_run", lambda r: r["trained"]["running"], "it trains")
            program.click("train_run")
            program.until(lambda r: not r["trained"]["running"], "it waits")
            click("home", lambda r: r["screen"] == "home" and r["settled"], "home once more")
            click("home.model", lambda r: r["sheet"] == "models" and has_widget(r, "gallery.induction"), "the models")
            click("gallery.induction", lambda r: r["sheet"] == "none" and r["screen"] != "home" and r["settled"], "a model")
            expect(len(clicks) == 9, f"{len(clicks)} clicks in all: {clicks}")
            program.quit()
