// Random documents that combine all forms and options, against the float64 definitions; tests/data/random_documents.py
// draws and computes them. A few hundred per run; ATTN_RANDOM_DOCUMENTS sets more.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <unistd.h>

#include "core/document/fields.h"
#include "places.h"
#include "tests/core/reference.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr const char* kReferencePython = "/usr/bin/python3";
constexpr int kUsualDocuments = 300, kDocumentsSeed = 1;

/// A refusal names an existing field, and has a message.
void expect_sentence(const Error& error) {
    const std::string_view field = std::string_view(error.key).substr(0, error.key.find_first_of(".["));
    EXPECT_NE(find_field(field), nullptr) << error.text();
    EXPECT_GT(error.message.size(), 15u) << error.text();
    EXPECT_NE(error.message.find(' '), std::string::npos) << error.text();
}

TEST(RandomReference, EveryDocumentAgreesOrIsRefusedWithAMessage) {
    if (std::system((std::string(kReferencePython) + " -c 'import numpy' 2> /dev/null").c_str()) != 0)
        GTEST_SKIP() << "python3-numpy is not installed";
    const char* given = std::getenv("ATTN_RANDOM_DOCUMENTS");
    const int count = given ? std::atoi(given) : kUsualDocuments;
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("attenscope-random-" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    const std::string command = std::string(kReferencePython) + " -B '" ATTN_SOURCE_DIR "/tests/data/random_documents.py' " +
                                std::to_string(count) + " " + std::to_string(kDocumentsSeed) + " '" + folder.string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
    int agreed = 0, refused = 0, beyond = 0;
    for (int file = 1; std::filesystem::exists(folder / (std::to_string(file) + ".json")) && !HasFailure(); ++file) {
        const JsonValue cases = read_reference((folder / (std::to_string(file) + ".json")).string());
        const JsonValue* const all = cases.find("cases");
        ASSERT_NE(all, nullptr);
        for (const JsonValue& one : all->items) {
            const std::string json = text_of(*one.find("document"));
            SCOPED_TRACE(json.substr(0, 3000));
            const auto document = document_from_json(json, "document");
            const JsonValue& steps = *one.find("steps");
            if (!document) {
                expect_sentence(document.error());
                ++refused;
                continue;
            }
            const auto run = attn::run(*document);
            ASSERT_TRUE(run.ok()) << run.error().text();
            EXPECT_NE(steps.kind, JsonKind::String) << "the definitions have no number for it, but it runs";
            if (steps.kind != JsonKind::Object) {
                ++beyond;
                continue;
            }
            compare_steps(run->trace, steps);
            compare_notes(run->trace, *one.find("all_masked"));
            ++agreed;
            if (HasFailure()) break;  // one document is enough to read
        }
    }
    std::filesystem::remove_all(folder);
    EXPECT_EQ(agreed + refused + beyond, count);
    EXPECT_GT(agreed, count / 4) << "of them compared";
    EXPECT_GT(refused, count / 10);
    RecordProperty("agreed", agreed);
    RecordProperty("refused", refused);
    std::cout << "[          ] " << agreed << " agreed, " << refused << " refused, " << beyond << " beyond float32\n";
}

}  // namespace
}  // namespace attn::test
