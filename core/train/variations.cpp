#include "core/train/variations.h"

#include <array>

#include "core/base/random.h"
#include "core/gradient/gradient.h"

namespace attn::train {
namespace {

AttentionConfig config_of(const FormTask& task) { return settings_of(task).config; }

bool is_scaled(const FormTask& task) { return score_of(config_of(task)) == "scaled_dot"; }
bool is_placed(const FormTask& task) { return config_of(task).position != "none"; }
bool reads(const AttentionConfig& config, Reads use) { return has(find_form(config.form)->reads, use); }
bool has_heads(const FormTask& task) { return config_of(task).heads > 1; }
constexpr int kFour = 4;
bool has_one_head(const FormTask& task) {
    const AttentionConfig config = config_of(task);
    return reads(config, Reads::Heads) && config.heads == 1 && task.width % kFour == 0;
}

/// Whether there is a target at a position before others: without a mask, later positions reveal the answer.
bool has_early_targets(const FormTask& task) {
    constexpr std::uint64_t kSeed = 1;
    Random random(kSeed);
    const Drill drill = next_drill(task, random, false);
    for (std::size_t i = 0; i + 1 < drill.targets.size(); ++i)
        if (drill.targets[i] != kNoTarget) return true;
    return false;
}
bool hides_ahead(const FormTask& task) {
    const AttentionConfig config = config_of(task);
    // Without positions, later tokens are only a set: if each letter is a target once, these letters were seen before,
    // and do not show which one comes next.
    return (config.form == "generate" || config.mask == "causal") && is_placed(task) && has_early_targets(task);
}
/// A generating form always has the causal mask; the encoder that it is trained as need not have it.
std::string look_ahead(const FormTask& task) {
    const AttentionConfig config = config_of(task);
    if (config.form != "generate") return R"({"mask": "none"})";
    const bool predicts = config.unembedding == "own" || config.unembedding == "tied";
    return std::string(R"({"variant": "encoder", "generate": null, "mask": "none", "unembedding": ")") +
           (predicts ? config.unembedding : "tied") + "\"}";
}

/// All places of one text see each other, and every example is as long as the longest: a pattern can be drawn for all.
bool sees_all(const FormTask& task) {
    const AttentionConfig config = config_of(task);
    if (config.mask != "none" || reads(config, Reads::Generate) || task.longest_source > 0) return false;
    constexpr int kTried = 16;
    Random random(1);
    for (int i = 0; i < kTried; ++i)
        if (static_cast<int>(next_drill(task, random, false).text.size()) != task.longest) return false;
    return true;
}
std::string all_but_itself(const FormTask& task) {
    std::string rows;
    for (int i = 0; i < task.longest; ++i) {
        rows += i > 0 ? ",[" : "[";
        for (int j = 0; j < task.longest; ++j) rows += std::string(j > 0 ? "," : "") + (i == j ? "0" : "1");
        rows += "]";
    }
    return R"({"mask": "drawn", "mask_pattern": [)" + rows + "]}";
}
/// Of two texts the one asks and the other answers: there one matrix for both would be another thing.
bool asks_itself(const FormTask& task) { return is_scaled(task) && task.longest_source == 0; }

constexpr std::array kVariations = {
    Variation{.id = "unscaled",
              .name = {"without scaling", "不缩放"},
              .about = {"Scores are not divided by √d_k. Where they grow large, the softmax saturates, and its gradients shrink.",
                        "分数不除以 √d_k。分数一大，softmax 就会饱和，梯度随之变小。"},
              .applies = is_scaled,
              .changes = [](const FormTask&) -> std::string { return R"({"score": "dot"})"; },
              .otherwise = {"its score has no scaling", "打分没有缩放"}},
    Variation{.id = "no_position",
              .name = {"without position", "不加位置"},
              .about = {"Nothing says where a token stands: the same tokens in another order give the same numbers.",
                        "不告诉模型词元在哪个位置：同样的词元换个顺序，算出的数不变。"},
              .applies = is_placed,
              .changes = [](const FormTask&) -> std::string { return R"({"position": "none"})"; },
              .otherwise = {"it has no positions", "没有位置编码"}},
    Variation{.id = "one_head",
              .name = {"one head", "只用一个头"},
              .about = {"One head as wide as all of them together: each row has a single softmax, so it can look in only one way.",
                        "只用一个头，宽度等于原来各头之和：每行只有一个 softmax，只能有一种看法。"},
              .applies = has_heads,
              .changes = [](const FormTask&) -> std::string { return R"({"heads": 1})"; },
              .otherwise = {"its heads cannot be fewer", "头数不能再少"}},
    Variation{.id = "four_heads",
              .name = {"four heads", "四个头"},
              .about = {"Four heads, each a quarter as wide, in place of one: as many weights, but each row may look in four ways.",
                        "用四个头代替一个头，每个只有四分之一宽：权重数不变，但每行有四种看法。"},
              .applies = has_one_head,
              .changes = [](const FormTask&) -> std::string { return R"({"heads": 4})"; },
              .otherwise = {"only a single head is split", "只有单个头才能拆"}},
    Variation{.id = "no_mask",
              .name = {"without mask", "不用掩码"},
              .about = {"While it trains, every place also sees the tokens behind it, among them the very answer that it is asked for. "
                        "On unseen examples it is measured as it must go on by itself, where nothing stands behind.",
                        "训练时每个位置也能看到后面的词元，包括要它回答的那个答案本身。没见过的例子则按它独立续写时的情形测量：后面什么也没有。"},
              .applies = hides_ahead,
              .changes = look_ahead,
              .otherwise = {"nothing to copy from ahead", "后面没有可抄的答案"},
              .measured_unchanged = true},
    Variation{.id = "not_itself",
              .name = {"not itself", "不看自己"},
              .about = {"The diagonal is hidden: every token sees all others, but never itself. A residual still carries its own vector on.",
                        "遮住对角线：每个词元能看所有别的词元，唯独看不到自己。残差连接仍会把它自己的向量往上带。"},
              .applies = sees_all,
              .changes = all_but_itself,
              .otherwise = {"not all see all here", "词元并非彼此都可见"}},
    Variation{.id = "one_matrix",
              .name = {"one matrix", "共用一个矩阵"},
              .about = {"Queries and keys are made by the same matrix: the scores are symmetric, and each token asks for what it is found by.",
                        "查询和键由同一个矩阵算出：分数是对称的，每个词元提问和被找到，用的是同一个向量。"},
              .applies = asks_itself,
              .changes = [](const FormTask&) -> std::string { return "{}"; },
              .otherwise = {"its keys are another text's", "键来自另一段文本"},
              .one_matrix = true},
    Variation{.id = "additive",
              .name = {"additive score", "加性打分"},
              .about = {"A query and a key are compared by vᵀ tanh(W q + U k), a small network with weights of its own, in place of their product.",
                        "查询与键不做点积，改用 vᵀ tanh(W q + U k) 比较，即一个自带权重的小网络。"},
              .applies = is_scaled,
              .changes = [](const FormTask&) -> std::string { return R"({"score": "additive"})"; },
              .otherwise = {"this task keeps its score", "此任务的打分不变"}},
    Variation{.id = "cosine",
              .name = {"cosine score", "余弦打分"},
              .about = {"A query and a key are compared by their angle alone: scores lie between −1 and 1, so the softmax can hardly become sharp.",
                        "查询与键只按夹角比较：分数在 −1 到 1 之间，softmax 很难变得尖锐。"},
              .applies = is_scaled,
              .changes = [](const FormTask&) -> std::string { return R"({"score": "cosine"})"; },
              .otherwise = {"this task keeps its score", "此任务的打分不变"}},
};

}  // namespace

Catalogue<Variation>& variation_catalogue() {
    static Catalogue<Variation> table(kVariations);
    return table;
}

std::span<const Variation> variations() { return variation_catalogue().rows(); }
const Variation* find_variation(std::string_view id) { return id.empty() ? nullptr : variation_catalogue().find(id); }

FormTask varied(FormTask task, std::string_view variation) {
    const Variation* row = find_variation(variation);
    if (!row || !row->applies(task)) return task;
    task.changes = row->changes(task);
    task.measured_unchanged = row->measured_unchanged;
    task.one_matrix = row->one_matrix;
    return task;
}

bool form_varies(const FormTask& task, const Variation& variation) { return variation.applies(task); }

bool applies(const Task& task, const TaskOptions& options, const Variation& variation) {
    return task.varies && task.varies(options, variation);
}

}  // namespace attn::train
