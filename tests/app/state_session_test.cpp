// From one start to the next: what is restored, when it is saved, and that files are never damaged.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <semaphore>

#include "core/document/fields.h"
#include "tests/app/session_fixture.h"

namespace {

namespace fs = std::filesystem;
using namespace app;
using app_test::document_of;
using app_test::SessionTest;

TEST_F(SessionTest, AFirstStartRestoresNothingSilently) {
    Session session(folders_);
    const Restored restored = session.restore(Language::English);
    EXPECT_FALSE(restored.document);
    EXPECT_FALSE(restored.settings.first_start_done);
    EXPECT_FALSE(restored.settings.language());
    EXPECT_TRUE(restored.notices.empty());
    EXPECT_TRUE(fs::is_empty(root_));  // reading creates nothing
}

TEST_F(SessionTest, TheLastDocumentIsRestored) {
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

TEST_F(SessionTest, ThePlaceInItIsRestored) {
    ViewState view;
    view.playhead = {{attn::Role::Weights, 1}, 0.25};
    view.head = 1;
    view.pinned = CellRef{{attn::Role::Scaled, 1}, 2, 3};
    view.unfolded = attn::Tag{attn::Role::Residual, attn::kNoHead, 0, attn::kNoTime, attn::Part::FeedForward};
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

TEST_F(SessionTest, AMegabyteOfTextIsRestored) {
    attn::Document made;
    for (int i = 0; i < 100'000; ++i) made.text += "lots of it ";
    run_once(made);
    EXPECT_EQ(run_once().document, made);
}

TEST_F(SessionTest, CommandLineChoicesAreNotSaved) {
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

TEST_F(SessionTest, AnotherDocumentKeepsABackupOfTheLastOne) {
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
    session.watch(state, {}, 11.5);  // a later change does not postpone it
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
    EXPECT_FALSE(session.due_in(21));  // undone: equal to the saved one
}

TEST_F(SessionTest, PlaybackIsNotAChange) {
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

TEST_F(SessionTest, TwoAtOnceLeaveOneWholeDocument) {
    attn::Document a = document_of("first window"), b = document_of("second window");
    a.vectors = b.vectors = "random";  // so that the width is stored
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
        // Killed within a write or two, at an arbitrary point of the child's work.
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

}  // namespace
