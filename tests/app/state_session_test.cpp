// From one start to the next: what comes back, what is refused, and that nothing is ever torn.

#include "app/state/session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <semaphore>

#include "core/document_fields.h"
#include "tests/app/state_fixture.h"
#include "tests/support/as_nobody.h"

namespace {

namespace fs = std::filesystem;
using namespace app;
using app_test::document_of;

class SessionTest : public ::testing::Test {
protected:
    SessionTest() {
        std::string pattern = (fs::temp_directory_path() / "session-XXXXXX").native();
        root_ = ::mkdtemp(pattern.data());
        folders_ = {root_ / "config/attenscope", root_ / "state/attenscope", root_ / "data", root_ / "cache"};
    }
    ~SessionTest() override {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }

    static void put(const fs::path& file, std::string_view bytes) {
        fs::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << bytes;
    }
    static std::string get(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path last() const { return folders_.state / kLastFile; }
    fs::path settings() const { return folders_.config / kSettingsFile; }

    /// A run of the program that begins with what was restored, makes `document` and ends.
    Restored run_once(const std::optional<attn::Document>& document = {}, std::optional<ViewState> view = {}) {
        Session session(folders_);
        Restored restored = session.restore(Language::English);
        AppState state = first_state(Language::English);
        use_part(state.view, restored.settings.view);
        if (restored.document) state.document = *restored.document;
        session.begin(state, restored.settings.window, 0);
        if (document) state.document = *document;
        if (view) state.view = *view;
        session.finish(state, restored.settings.window);
        const auto error = session.take_error();
        failure_ = error ? error->text() : "";
        return restored;
    }

    fs::path root_;
    Folders folders_;
    std::string failure_;  ///< of the last run
};

TEST_F(SessionTest, AFirstStartHasNothingAndSaysNothing) {
    Session session(folders_);
    const Restored restored = session.restore(Language::English);
    EXPECT_FALSE(restored.document);
    EXPECT_FALSE(restored.settings.first_start_done);
    EXPECT_FALSE(restored.settings.language());
    EXPECT_TRUE(restored.notices.empty());
    EXPECT_TRUE(fs::is_empty(root_));  // looking makes nothing
}

TEST_F(SessionTest, TheLastDocumentComesBack) {
    attn::Document made = document_of("小猫坐在垫子上 😀 a\tb", 2, "causal");
    made.edits = {{{attn::Role::Scores, 1}, 1, 2, -0.1f}};
    run_once(made);
    EXPECT_EQ(failure_, "");
    const Restored restored = run_once();
    ASSERT_TRUE(restored.document);
    EXPECT_EQ(*restored.document, made);
    EXPECT_TRUE(restored.notices.empty());
    EXPECT_TRUE(restored.settings.first_start_done);
}

TEST_F(SessionTest, SoDoesThePlaceInIt) {
    ViewState view;
    view.playhead = {{attn::Role::Weights, 1}, 0.25};
    view.head = 1;
    view.pinned = CellRef{{attn::Role::Scaled, 1}, 2, 3};
    view.language = Language::Chinese;
    view.theme = "dark";
    view.scale = 1.25f;
    view.speed = 2;
    view.still = view.shared_scale = true;
    view.convention = attn::Convention::Columns;
    run_once(document_of("a b c d", 2), view);
    const Restored restored = run_once();
    ASSERT_TRUE(restored.view);
    ViewState back;
    use_part(back, *restored.view);
    use_part(back, restored.settings.view);
    EXPECT_EQ(back, view);
}

TEST_F(SessionTest, AMegabyteOfTextComesBack) {
    attn::Document made;
    for (int i = 0; i < 100'000; ++i) made.text += "lots of it ";
    run_once(made);
    EXPECT_EQ(run_once().document, made);
}

TEST_F(SessionTest, WhatOneRunWasAskedForIsNotKept) {
    run_once();
    Session session(folders_);
    AppState state = first_state(Language::Chinese);  // --language zh
    state.document = *session.restore(Language::English).document;
    session.begin(state, {}, 0);
    state.view.theme = "dark";  // chosen by the user
    session.finish(state, {});
    const Restored restored = run_once();
    EXPECT_EQ(restored.settings.view.values.theme, "dark");
    EXPECT_NE(restored.settings.language(), Language::Chinese);
}

TEST_F(SessionTest, AnotherDocumentLeavesTheLastOneBesideIt) {
    const attn::Document mine = document_of("my work"), opened = document_of("opened");
    run_once(mine);
    Session session(folders_);
    session.restore(Language::English);
    AppState state = first_state(Language::English);
    state.document = opened;
    session.begin(state, {}, 0);
    session.finish(state, {});
    EXPECT_EQ(get(folders_.state / kPreviousFile), attn::document_to_json(mine));
    EXPECT_EQ(run_once().document, opened);
}

// -- when it is saved

TEST_F(SessionTest, ChangesAreSavedAfterAPauseAndNotBefore) {
    std::binary_semaphore written{0};
    Session session(folders_, [&] { written.release(); });
    session.restore(Language::English);
    AppState state = first_state(Language::English);
    session.begin(state, {}, 10);
    EXPECT_EQ(session.due_in(10), Session::kPause);
    EXPECT_EQ(session.due_in(11.5), Session::kPause - 1.5);
    state.document = document_of("changed");
    session.watch(state, {}, 11.5);  // a later change does not put it off
    EXPECT_FALSE(fs::exists(last()));
    session.watch(state, {}, 12.1);
    written.acquire();
    EXPECT_EQ(get(last()), attn::document_to_json(state.document));
    session.watch(state, {}, 12.2);
    EXPECT_FALSE(session.due_in(12.2));  // nothing to wait for: the window sleeps
    state.document.text += "!";
    session.watch(state, {}, 20);
    EXPECT_EQ(session.due_in(20), Session::kPause);
    state.document.text.pop_back();
    session.watch(state, {}, 21);
    EXPECT_FALSE(session.due_in(21));  // undone: as it was saved
}

TEST_F(SessionTest, PlayingIsNoChange) {
    run_once();
    Session session(folders_);
    AppState state = first_state(Language::English);
    const Restored restored = session.restore(Language::English);
    state.document = *restored.document;
    use_part(state.view, restored.settings.view);
    use_part(state.view, *restored.view);
    session.begin(state, {}, 0);
    EXPECT_FALSE(session.due_in(0));
    state.view.playing = true;
    state.view.playhead = {{attn::Role::Output}, 0.5};
    session.watch(state, {}, 1);
    EXPECT_FALSE(session.due_in(1));
    state.view.playing = false;
    session.watch(state, {}, 2);
    EXPECT_TRUE(session.due_in(2));
}

TEST_F(SessionTest, TwoAtOnceLeaveOneOfTheirDocumentsWhole) {
    attn::Document a = document_of("first window"), b = document_of("second window");
    a.vectors = b.vectors = "random";  // so that the width is read
    {
        Session one(folders_), two(folders_);
        AppState state = first_state(Language::English);
        one.restore(Language::English), two.restore(Language::English);
        one.begin(state, {}, 0), two.begin(state, {}, 0);
        for (int i = 0; i < 20; ++i) {
            const double time = 3.0 * (i + 1);
            for (const double later : {0.0, 2.5}) {
                state.document = a, state.document.width = 8 + i % 4;
                one.watch(state, {}, time + later);
                state.document = b, state.document.width = 8 + i % 4;
                two.watch(state, {}, time + later);
            }
        }
    }
    const auto left = attn::document_from_json(get(last()), "last");
    ASSERT_TRUE(left) << left.error().text();
    EXPECT_TRUE(left->text == a.text || left->text == b.text);
    for (const auto& entry : fs::directory_iterator(folders_.state))
        EXPECT_FALSE(entry.path().filename().native().ends_with(".tmp"));
}

// Killed at any moment, the file holds an old or a new document, never a mixture.
TEST_F(SessionTest, KilledWhileSaving) {
    constexpr int kKills = 40;
    const auto document = [](int i) {
        attn::Document doc = document_of(std::string(20'000, static_cast<char>('a' + i % 26)));
        doc.weight_seed = static_cast<std::uint64_t>(i % 26);
        return doc;
    };
    run_once(document(0));
    int whole = 0;
    for (int kill = 0; kill < kKills; ++kill) {
        int ready[2];
        ASSERT_EQ(::pipe(ready), 0);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            Session session(folders_);
            AppState state = first_state(Language::English);
            for (int i = 0;; ++i) {
                state.document = document(i);
                session.finish(state, {});
                if (::write(ready[1], "x", 1) != 1) _exit(1);
            }
        }
        // Killed within a write or two: wherever the child happens to be by then.
        char byte;
        for (int i = 0; i <= kill % 3; ++i) ASSERT_EQ(::read(ready[0], &byte, 1), 1);
        ::usleep(static_cast<useconds_t>(kill) * 50);
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        ::close(ready[0]), ::close(ready[1]);
        const auto left = attn::document_from_json(get(last()), "last");
        ASSERT_TRUE(left) << left.error().text();
        const auto letter = static_cast<int>(left->text.front() - 'a');
        EXPECT_EQ(*left, document(letter));
        ++whole;
    }
    EXPECT_EQ(whole, kKills);
    EXPECT_TRUE(run_once().notices.empty());
}

// -- files that are not as they should be

TEST_F(SessionTest, ACorruptDocumentIsKeptBesideAndSaid) {
    for (const char* bad : {"", "{", "not json", "[]", "\"a\"", "{\"attenscope\": 99}", "\xff\xfe\x00\x00"}) {
        fs::remove_all(folders_.state);
        put(last(), bad);
        const Restored restored = run_once(document_of("new"));
        EXPECT_FALSE(restored.document) << bad;
        ASSERT_EQ(restored.notices.size(), 1u) << bad;
        EXPECT_NE(restored.notices[0].find("last.json.bad"), std::string::npos) << restored.notices[0];
        EXPECT_EQ(get(folders_.state / "last.json.bad"), bad);
        EXPECT_EQ(run_once().document, document_of("new"));
    }
}

/// One bad field costs itself; the rest of the document comes back, and the file is kept.
TEST_F(SessionTest, ABadFieldIsLeftOutAndSaid) {
    for (const char* field : {"\"heads\": \"two\"", "\"no_such_key\": 1", "\"temperature\": null", "\"top_k\": 5"}) {
        fs::remove_all(folders_.state);
        const std::string bytes = std::string("{\"text\": \"kept words\", \"mask\": \"causal\", ") + field + "}";
        put(last(), bytes);
        const Restored restored = run_once();
        ASSERT_TRUE(restored.document) << field;
        EXPECT_EQ(restored.document->text, "kept words");
        EXPECT_EQ(restored.document->config.mask, "causal");
        ASSERT_EQ(restored.notices.size(), 1u) << field;
        EXPECT_NE(restored.notices[0].find("last.json.bad"), std::string::npos) << restored.notices[0];
        EXPECT_EQ(get(folders_.state / "last.json.bad"), bytes);
        EXPECT_TRUE(run_once().notices.empty()) << "said once";
    }
}

TEST_F(SessionTest, ABadPlaceAndBadProgressAreSaid) {
    for (const char* name : {kLastViewFile, kChaptersFile}) {
        fs::remove_all(folders_.state);
        put(last(), "{\"text\": \"a\"}");
        put(folders_.state / name, "{\"broken");
        const Restored restored = run_once();
        EXPECT_TRUE(restored.document) << name;
        ASSERT_EQ(restored.notices.size(), 1u) << name;
        EXPECT_NE(restored.notices[0].find(std::string(name) + ".bad"), std::string::npos) << restored.notices[0];
    }
}

TEST_F(SessionTest, BadFilesDoNotReplaceEachOther) {
    for (const char* bad : {"one", "two", "three"}) {
        put(last(), bad);
        run_once();
    }
    EXPECT_EQ(get(folders_.state / "last.json.bad"), "one");
    EXPECT_EQ(get(folders_.state / "last.json.bad2"), "two");
    EXPECT_EQ(get(folders_.state / "last.json.bad3"), "three");
}

TEST_F(SessionTest, AHugeFileIsSetAside) {
    put(last(), "{}");
    fs::resize_file(last(), std::uintmax_t{1} << 30);
    const Restored restored = run_once(document_of("new"));
    EXPECT_EQ(restored.notices.size(), 1u);
    EXPECT_EQ(run_once().document, document_of("new"));
}

TEST_F(SessionTest, CorruptSettingsAreDefaultsAndOneNotice) {
    for (const char* bad : {"", "{", "[]", "null", "\xff"}) {
        fs::remove_all(folders_.config);
        put(settings(), bad);
        const Restored restored = run_once();
        EXPECT_EQ(restored.settings, Settings{}) << bad;
        ASSERT_EQ(restored.notices.size(), 1u) << bad;
        EXPECT_EQ(get(folders_.config / "settings.json.bad"), bad);
        EXPECT_TRUE(run_once().notices.empty());
    }
}

TEST_F(SessionTest, OneWrongSettingLeavesTheOthers) {
    put(settings(), R"({"theme": "dark", "scale": "big", "colour": 1, "speed": 1e9, "window": [800, 600]})");
    const Restored restored = run_once();
    EXPECT_EQ(restored.settings.view.values.theme, "dark");
    EXPECT_FALSE(restored.settings.view.has("scale"));
    EXPECT_EQ(restored.settings.view.values.speed, kMaxSpeed);
    EXPECT_EQ(restored.settings.window.width, 800);
    ASSERT_EQ(restored.notices.size(), 2u);
    EXPECT_EQ(restored.notices[0], "settings.json:1: scale: it must be a number");
    EXPECT_EQ(restored.notices[1], "settings.json:1: colour: there is no such setting; it is left out");
    EXPECT_TRUE(run_once().notices.empty());  // written anew, without it
}

TEST_F(SessionTest, ABrokenPlaceCostsNoDocument) {
    run_once(document_of("kept"));
    put(folders_.state / kLastViewFile, R"({"playhead": 3, "head": 2})");
    const Restored restored = run_once();
    EXPECT_TRUE(restored.document);
    ASSERT_TRUE(restored.view);
    EXPECT_FALSE(restored.view->has("playhead"));
    EXPECT_EQ(restored.view->values.head, 1);  // the rest of it is used
    EXPECT_TRUE(restored.notices.empty());
}

// -- places that cannot be used: the program goes on, with one sentence

TEST_F(SessionTest, WithoutAHomeNothingIsWritten) {
    folders_ = {};
    const Restored restored = run_once(document_of("x"));
    ASSERT_EQ(restored.notices.size(), 1u);
    EXPECT_NE(restored.notices[0].find("HOME"), std::string::npos);
    EXPECT_EQ(failure_, "");
    EXPECT_TRUE(fs::is_empty(root_));
    EXPECT_FALSE(fs::exists(kLastFile));  // nor in the current folder
}

TEST_F(SessionTest, AFileInTheFoldersPlace) {
    put(root_ / "config", "a file");
    put(root_ / "state", "a file");
    const Restored restored = run_once(document_of("x"));
    EXPECT_EQ(restored.settings, Settings{});
    EXPECT_EQ(restored.notices.size() + (failure_.empty() ? 0 : 1), 1u);
    EXPECT_NE(failure_.find("not a folder"), std::string::npos) << failure_;
    EXPECT_EQ(get(root_ / "config"), "a file");
}

TEST_F(SessionTest, LinksInACircle) {
    fs::create_symlink("config", root_ / "config");
    fs::create_symlink("state", root_ / "state");
    const Restored restored = run_once(document_of("x"));
    EXPECT_EQ(restored.settings, Settings{});
    EXPECT_FALSE(restored.notices.empty());
    EXPECT_EQ(failure_, "");  // said already
    EXPECT_TRUE(fs::is_symlink(root_ / "config"));
}

TEST_F(SessionTest, AFolderInTheDocumentsPlaceIsSetAside) {
    fs::create_directories(last() / "inside");
    const Restored restored = run_once(document_of("x"));
    EXPECT_EQ(restored.notices.size(), 1u);
    EXPECT_TRUE(fs::exists(folders_.state / "last.json.bad" / "inside"));
}

TEST_F(SessionTest, APipeInTheDocumentsPlaceDoesNotHang) {
    fs::create_directories(folders_.state);
    ASSERT_EQ(::mkfifo(last().c_str(), 0600), 0);
    EXPECT_EQ(run_once(document_of("x")).notices.size(), 1u);
}

TEST_F(SessionTest, AReadOnlyPlace) {
    test_support::give_to_nobody(root_);
    fs::permissions(root_, fs::perms::owner_read | fs::perms::owner_exec);
    test_support::as_nobody([&] {
        const Restored restored = run_once(document_of("x"));
        EXPECT_TRUE(restored.notices.empty());
        EXPECT_NE(failure_, "");
    });
    fs::permissions(root_, fs::perms::owner_all);
}

TEST_F(SessionTest, AFailureIsSaidOnceAndTriedAgainAtTheEnd) {
    put(root_ / "config", "in the way");
    put(root_ / "state", "in the way");
    std::binary_semaphore written{0};
    Session session(folders_, [&] { written.release(); });
    session.restore(Language::English);
    AppState state = first_state(Language::English);
    session.begin(state, {}, 0);
    session.watch(state, {}, 3);
    written.acquire();
    session.watch(state, {}, 4);
    EXPECT_TRUE(session.take_error());
    EXPECT_FALSE(session.take_error());
    EXPECT_FALSE(session.due_in(4));  // does not try for ever
    fs::remove(root_ / "config"), fs::remove(root_ / "state");
    session.finish(state, {});
    EXPECT_FALSE(session.take_error());
    EXPECT_EQ(get(last()), attn::document_to_json(state.document));
}

}  // namespace
