#pragma once
// Folders of a program that is started, changes a document and ends.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "app/shell/session.h"
#include "tests/app/state_fixture.h"

namespace app_test {

namespace fs = std::filesystem;
using namespace app;

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

    /// A run of the program that begins with what was restored, sets `document` and ends.
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

}  // namespace app_test
