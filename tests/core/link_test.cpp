// A document as a link: the round trip, and the damage that links suffer in transit.

#include "core/document/link.h"

#include <gtest/gtest.h>

#include "core/document/fields.h"

namespace attn {
namespace {

Document sample() {
    Document doc;
    doc.text = "早上好，the tired cat 😀 \"quoted\"";
    choose_form(doc, "multi_head");
    doc.weights = "random";
    doc.config.heads = 2;
    doc.config.mask = "causal";
    doc.edits = {{{Role::Scores, kNoLayer, 0}, 1, 0, -0.25f}};
    return doc;
}

TEST(Link, RoundTrips) {
    for (const Document& doc : {Document{}, sample()}) {
        const std::string link = document_link(doc);
        EXPECT_EQ(link, document_link(doc));
        const auto back = document_from_link(link);
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(*back, doc);
    }
}

TEST(Link, IsShortAndSafeInAddresses) {
    Document doc;
    doc.text = "the tired cat sat down";
    const std::string link = document_link(doc);
    EXPECT_LT(link.size(), 110u) << link;
    EXPECT_EQ(link.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:"),
              std::string::npos);
    // A long document is preserved and compresses well.
    doc.text.clear();
    for (int i = 0; i < 500; ++i) doc.text += "the tired cat ";
    EXPECT_LT(document_link(doc).size(), 400u);
    EXPECT_EQ(*document_from_link(document_link(doc)), doc);
}

TEST(Link, IgnoresSpacesAndLineBreaks) {
    std::string link = document_link(sample());
    link.insert(40, "\r\n ");
    link = " \n" + link + "\n";
    EXPECT_TRUE(is_link(link));
    const auto back = document_from_link(link);
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(*back, sample());
}

TEST(Link, DetectsEveryDamage) {
    const std::string link = document_link(sample());
    const std::size_t head = std::string("attenscope:1:").size();
    for (std::size_t i = head; i < link.size(); ++i) {
        std::string changed = link;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        EXPECT_FALSE(document_from_link(changed)) << i;
        EXPECT_FALSE(document_from_link(link.substr(0, i))) << i;
        std::string without = link;
        without.erase(i, 1);
        EXPECT_FALSE(document_from_link(without)) << i;
    }
    EXPECT_FALSE(document_from_link(link + "AAAA"));
}

TEST(Link, NamesTextsThatAreNotLinks) {
    struct Row {
        std::string text;
        const char* says;
    };
    const Row rows[] = {
        {"", "begins with"},
        {"https://example.org", "begins with"},
        {"attenscope", "begins with"},
        {"attenscope:", "version"},
        {"attenscope:2:AAAA", "version \"2\""},
        {"attenscope:1", "version"},
        {"attenscope:1:", "missing or changed"},
        {"attenscope:1:!!!!", "missing or changed"},
        {"attenscope:1:AAAAAAAA", "missing or changed"},
        {std::string("attenscope:1:AA\0AA", 18), "missing or changed"},
        {"attenscope:1:" + std::string(1 << 20, 'A'), "missing or changed"},
    };
    for (const Row& row : rows) {
        const auto back = document_from_link(row.text);
        ASSERT_FALSE(back) << row.text.substr(0, 40);
        EXPECT_NE(back.error().text().find(row.says), std::string::npos) << back.error().text();
    }
}

}  // namespace
}  // namespace attn
