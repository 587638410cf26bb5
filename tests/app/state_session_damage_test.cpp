// Restoring a session with damaged files or places: the rest is restored, and one message says so.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <new>
#include <semaphore>

#include "core/document/fields.h"
#include "tests/app/session_fixture.h"
#include "tests/support/as_nobody.h"
#include "tests/support/refusing.h"

namespace {

namespace fs = std::filesystem;
using namespace app;
using app_test::document_of;
using app_test::SessionTest;

TEST_F(SessionTest, ACorruptDocumentIsBackedUpAndReported) {
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

/// A damaged field is dropped; the rest of the document is restored, and the file is kept.
TEST_F(SessionTest, ABadFieldIsDroppedAndReported) {
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

TEST_F(SessionTest, ABadPlaceAndBadProgressAreReported) {
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

TEST_F(SessionTest, OneWrongSettingKeepsTheOthers) {
    put(settings(), R"({"theme": "dark", "scale": "big", "colour": 1, "speed": 1e9, "window": [800, 600]})");
    const Restored restored = run_once();
    EXPECT_EQ(restored.settings.view.values.theme, "dark");
    EXPECT_FALSE(restored.settings.view.has("scale"));
    EXPECT_EQ(restored.settings.view.values.speed, kMaxSpeed);
    EXPECT_EQ(restored.settings.window.width, 800);
    ASSERT_EQ(restored.notices.size(), 2u);
    EXPECT_EQ(restored.notices[0], "settings.json:1: scale: it must be a number");
    EXPECT_EQ(restored.notices[1], "settings.json:1: colour: there is no such setting; it is left out");
    EXPECT_TRUE(run_once().notices.empty());  // written again, without it
}

TEST_F(SessionTest, ABrokenPlaceKeepsTheDocument) {
    run_once(document_of("kept"));
    put(folders_.state / kLastViewFile, R"({"playhead": 3, "head": 2})");
    const Restored restored = run_once();
    EXPECT_TRUE(restored.document);
    ASSERT_TRUE(restored.view);
    EXPECT_FALSE(restored.view->has("playhead"));
    EXPECT_EQ(restored.view->values.head, 1);  // the rest of it is used
    EXPECT_TRUE(restored.notices.empty());
}

// -- places that cannot be used: the program continues, with one message

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
    EXPECT_EQ(failure_, "");  // reported already
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

TEST_F(SessionTest, WithoutAThreadItIsWrittenImmediately) {
    test_support::give_to_nobody(root_);
    test_support::as_nobody([&] {
        const rlimit none{0, 0};
        ASSERT_EQ(setrlimit(RLIMIT_NPROC, &none), 0);
        int woken = 0;
        Session session(folders_, [&] { ++woken; });
        session.restore(Language::English);
        AppState state = first_state(Language::English);
        session.begin(state, {}, 0);
        state.document = document_of("kept");
        session.watch(state, {}, 3);
        EXPECT_EQ(woken, 1);
        EXPECT_NE(get(last()).find("kept"), std::string::npos);
        EXPECT_FALSE(session.take_error());
        session.watch(state, {}, 4);
        EXPECT_FALSE(session.due_in(4));
        EXPECT_EQ(woken, 1);
    });
}

/// Each allocation fails in turn, of the thread that notices the change and of the one that writes it: the typed text is on
/// the disk at the end.
TEST_F(SessionTest, RefusedMemoryNeverLosesTypedText) {
    using test_support::Refusing;
    for (const Refusing::Of of : {Refusing::Of::ThisThread, Refusing::Of::OtherThreads}) {
        int refused = 0;
        for (bool all = false; !all && refused < 2000; ++refused) {
            std::binary_semaphore written{0};
            Session session(folders_, [&] { written.release(); });
            session.restore(Language::English);
            AppState state = first_state(Language::English);
            session.begin(state, {}, 0);
            state.document = document_of("typed " + std::to_string(refused) + (of == Refusing::Of::ThisThread ? " here" : " there"));
            {
                const Refusing refusing(refused + 1, of);
                try {
                    session.watch(state, {}, 3);
                    (void)written.try_acquire_for(std::chrono::seconds(2));  // it never exists if nothing was written
                } catch (const std::bad_alloc&) {
                }
                all = !refusing.came();
            }
            session.finish(state, {});
            ASSERT_NE(get(last()).find(state.document.text), std::string::npos) << "allocation " << refused + 1;
            ASSERT_FALSE(session.take_error()) << "all is saved: allocation " << refused + 1;
            for (const auto& entry : fs::recursive_directory_iterator(root_)) ASSERT_NE(entry.path().extension(), ".tmp") << entry.path();
        }
        EXPECT_GE(refused, 10);
    }
}

TEST_F(SessionTest, AFailureIsReportedOnceAndRetriedAtTheEnd) {
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
