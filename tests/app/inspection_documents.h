#pragma once
// Documents that together have every operation and every score, for tests of a number's explanation.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/document/document.h"
#include "core/document/fields.h"

namespace inspected_documents {

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;

inline const Fields kDocuments[] = {
    {{"score", "dot"}, {"temperature", "2"}},
    {{"score", "general"}, {"mask", "causal"}},
    {{"score", "cosine"}, {"selection", "sparsemax"}},
    {{"score", "additive"}, {"scope", "local_p"}, {"window", "2"}},
    {{"score", "concat"}, {"selection", "top_k"}, {"top_k", "2"}},
    {{"score", "gat"}, {"gate", "sigmoid"}, {"penalty", "0.5"}},
    {{"position", "rope"}, {"selection", "hard"}, {"draws", "7"}},
    {{"position", "relative"}, {"heads", "2"}},
    {{"position", "alibi"}, {"heads", "2"}, {"mask", "causal"}},
    {{"variant", "raw"}},
    {{"variant", "raw"}, {"selection", "hard"}, {"draws", "3"}, {"target", "[\"cat\"]"}},
    {{"variant", "encoder"}},
    {{"variant", "encoder"}, {"unembedding", "own"}},
    {{"variant", "bahdanau"}},
    {{"variant", "bahdanau"}, {"unit", "gru"}},
    {{"variant", "online"}},
    {{"variant", "linear"}},
    {{"variant", "generate"}},
    // Two masks, one after the other; the temperatures at which the softmax reaches its limits.
    {{"variant", "decoder"}, {"mask", "sliding_window"}, {"window", "1"}},
    {{"variant", "decoder"}, {"mask", "drawn"}},
    {{"variant", "generate"}, {"mask", "global_window"}, {"window", "1"}},
    {{"score", "dot"}, {"temperature", "0"}},
    {{"score", "dot"}, {"temperature", "inf"}, {"mask", "causal"}},
    {{"score", "dot"}, {"temperature", "0"}, {"selection", "sparsemax"}},
};

inline attn::Run run_of(const Fields& fields) {
    attn::Document doc;
    doc.text = "the tired cat sat";
    for (const auto& [field, value] : fields)
        if (field == "variant") attn::choose_form(doc, value);
    if (doc.config.form == "multi_head") doc.weights = "random";
    for (const auto& [field, value] : fields)
        if (field != "variant") {
            EXPECT_TRUE(attn::set_field(doc, field, value)) << field;
        }
    auto run = attn::run(doc);
    EXPECT_TRUE(run) << (run ? "" : run.error().text());
    return run ? std::move(*run) : attn::Run{};
}

inline std::string name_of(const Fields& fields) {
    std::string out;
    for (const auto& [field, value] : fields) out.append(field).append("=").append(value).append(" ");
    return out;
}

}  // namespace inspected_documents
