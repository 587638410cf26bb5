// Any text as an expression of a chapter. Oracles: the result is an error or a tree whose nodes refer to earlier nodes
// only; its value does not depend on whether the tree is built anew.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "app/chapters/format/expression_tree.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

const attn::Document& document() {
    static const attn::Document kDocument = [] {
        attn::Document d;
        d.text = "a b";
        return d;
    }();
    return kDocument;
}

const attn::Run& computed() {
    static const attn::Run kRun = *attn::run(document());
    return kRun;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kLongest = 4096;
    const std::string_view text(reinterpret_cast<const char*>(data), size < kLongest ? size : kLongest);
    const app::ExpressionTree tree = app::parse_expression(text);
    require(!tree.nodes.empty() && tree.root >= 0 && tree.root < static_cast<int>(tree.nodes.size()));
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        for (const int part : tree.nodes[i].parts) require(part >= 0 && part < static_cast<int>(i));
    const app::ChapterContext context{computed().trace, document()};
    const auto once = app::evaluate(tree, context);
    app::ExpressionMemo memo;
    app::ChapterContext remembering{computed().trace, document()};
    remembering.memo = &memo;
    for (int i = 0; i < 2; ++i) {
        const auto again = app::evaluate(text, remembering);
        require(again.ok() == once.ok());
        if (again) require(again->kind == once->kind && (again->number == once->number || std::isnan(once->number)));
    }
    require(memo.trees_read() == 1);
    static_cast<void>(app::shown_value(text, context));
    return 0;
}
