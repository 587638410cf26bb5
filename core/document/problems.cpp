// Checks a document: single fields, fields that nothing reads, choices that exclude each other, shapes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/parts/choices.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/rows.h"
#include "core/document/fields.h"
#include "core/document/gradient_request.h"
#include "core/document/internal.h"
#include "core/document/intervene.h"
#include "core/document/model_tokens.h"
#include "core/document/origins.h"
#include "core/document/take.h"
#include "core/model/attention_file/given_attention.h"
#include "core/model/model.h"
#include "core/model/stored_weights.h"
#include "core/remake/remake.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

using Problems = std::vector<Error>;

Error problem(std::string_view key, std::string message) { return {std::move(message), "", std::string(key), 0}; }

/// Checks that each choice is a row of its table, and each number within its range.
void check_values(const Document& doc, Problems& out) {
    for (const Field& field : document_fields()) {
        if (field.is_default(doc)) continue;
        if (field.kind == FieldKind::Choice) {
            const auto choices = field.choices();
            const std::string_view id = field.chosen(doc);
            if (std::find(choices.begin(), choices.end(), id) == choices.end())
                out.push_back(problem(field.key, fmt::format("there is no \"{}\"; choose one of {}", visible(id),
                                                             fmt::join(choices, ", "))));
        } else if (field.number && field.low != field.high) {
            const double value = field.number(doc);
            const bool infinite = field.or_infinite && value == std::numeric_limits<double>::infinity();
            if (!infinite && !(value >= field.low && value <= field.high))
                out.push_back(problem(field.key, fmt::format("{} is not possible; take {} to {}", value, field.low, field.high)));
        }
    }
}

/// Tokens name the rows of the file; a form would compute something else, so none may be chosen.
void check_attention(const Document& doc, const Sizes& s, Problems& out) {
    if (!doc.attention) return;
    if (s.n != doc.attention->queries)
        out.push_back(problem(doc.tokens.empty() ? "text" : "tokens",
                              fmt::format("{} tokens are named, but the attention from the file is of {}; another text needs "
                                          "weights of its own",
                                          s.n, doc.attention->queries)));
}

/// Vectors and weights from a model require one.
void check_model(const Document& doc, Problems& out) {
    if (doc.attention && !find_field("variant")->is_default(doc))
        out.push_back(problem("variant", "attention from a file takes the place of a form; remove \"variant\" or \"attention\""));
    if (doc.model) return;
    constexpr std::string_view kNone = "no model is named; say which with \"model\"";
    if (takes_model_vectors(doc)) out.push_back(problem("vectors", std::string(kNone)));
    if (takes_model_weights(doc) && find_field("weights")->is_read(doc)) out.push_back(problem("weights", std::string(kNone)));
}

/// A picture is tokenized by its model, and read only by forms that take one sequence and predict no words of it.
void check_picture(const Document& doc, const Form& form, Problems& out) {
    if (!shows_picture(doc)) return;
    if (!doc.tokens.empty())
        out.push_back(problem("tokens", "the model cuts its picture into patches, which are the tokens; remove \"tokens\""));
    if (doc.padding > 0) out.push_back(problem("padding", "a picture has as many patches as its model takes; remove padding"));
    if (has(form.reads, Reads::Source) || has(form.reads, Reads::Words))
        out.push_back(problem("variant", fmt::format("\"{}\" reads or says words of a text, and the model looks at a picture; the nearest "
                                                     "that does is \"encoder\"", form.id)));
    else if (const Unembedding* way = unembeddings().find(doc.config.unembedding); way->predicts && !way->own)
        out.push_back(problem("unembedding", "labels of a picture have no vectors that could serve as the matrix; take \"own\""));
}

/// A field that nothing reads must not be set, since the picture would not depend on it.
void check_read(const Document& doc, Problems& out) {
    for (const Field& field : document_fields())
        if (field.is_read && !field.is_read(doc) && !field.is_default(doc))
            out.push_back(problem(field.key, fmt::format("it is read only by {}; the form here is \"{}\": choose another "
                                                         "or remove \"{}\"",
                                                         field.read_by, doc.config.form, field.key)));
}

/// Objections of the chosen rows to each other.
void check_rows(const Document& doc, const Form& form, Problems& out) {
    for (const RowRefusal& said : rows_refuse(doc.config, form))
        out.push_back(problem(said.refusal.key, fmt::format("\"{}\" {}", said.id, said.refusal.why)));
}

/// Rotated columns come in pairs.
void check_pairs(const Document& doc, const Sizes& s, Problems& out) {
    if (find_position(doc.config.position)->kind != PositionKind::Rotated || s.d == 0) return;
    const bool own = has(find_form(doc.config.form)->reads, Reads::Projections);
    const int shared_out = (own ? projection_widths(doc, s.d).queries : s.d) / std::max(doc.config.heads, 1);
    const int width = doc.config.head_width > 0 ? doc.config.head_width : shared_out;
    if (const int rotated = rotary_columns(doc.config, width); doc.config.rope_share < 1 && (rotated < 2 || rotated % 2 != 0))
        out.push_back(problem("rope_share", fmt::format("pairs of columns rotate, but {:g} of {} columns is {}", doc.config.rope_share,
                                                        width, rotated)));
    else if (width % 2 != 0)
        out.push_back(problem("position", fmt::format("\"{}\" rotates pairs of features, but with heads = {} a query has {} of them",
                                                      doc.config.position, doc.config.heads, width)));
}

void check_pattern(const Document& doc, const Form& form, const Sizes& s, Problems& out) {
    const bool two = has(form.reads, Reads::Source);
    const Matrix& pattern = doc.mask_pattern;
    if (!rows_read(doc.config, "mask_pattern") || pattern.size() == 0) return;
    const int keys = two && !has(form.reads, Reads::Order) ? s.m : s.n;
    if (pattern.rows() != s.n || pattern.cols() != keys)
        out.push_back(problem("mask_pattern", fmt::format("it is {} × {}, but the text has {} tokens: it must be {} × {}",
                                                          pattern.rows(), pattern.cols(), s.n, s.n, keys)));
}

void check_together(const Document& doc, const Form& form, Problems& out) {
    const AttentionConfig& c = doc.config;
    if (c.kv_heads > 0 && c.heads % c.kv_heads != 0)
        out.push_back(problem("kv_heads", fmt::format("{} key heads do not divide heads = {} into equal groups", c.kv_heads, c.heads)));
    if (!c.heads_off.empty() && c.heads_off.back() >= c.heads)
        out.push_back(problem("heads_off", fmt::format("there is no head {}: heads is {}", c.heads_off.back() + 1, c.heads)));
    if (has(form.reads, Reads::Generate) && doc.padding > 0 && !rows_read(c, "padding"))  // else the mask is refused
        out.push_back(problem("padding", fmt::format("the form \"{}\" continues after the text, where padding would be; remove it", form.id)));
    if (form.refuses)
        for (const Refusal& refusal : form.refuses(c, form))
            out.push_back(problem(refusal.key, fmt::format("the form \"{}\" {}", form.id, refusal.why)));
}

void check_shape(Problems& out, const Document& doc, Given which, Eigen::Index rows, Eigen::Index cols,
                 std::string_view why) {
    const std::optional<FrozenMatrix> m = held_shape(doc, which);
    if (!m && takes_model_weights(doc) && which < Given::b_Q)
        out.push_back(problem("weights", fmt::format("the model \"{}\" has no tensor \"{}\"", visible(doc.model->name), tensor_of(which))));
    if (!m || ((rows < 0 || m->rows() == rows) && (cols < 0 || m->cols() == cols))) return;
    const auto side = [](Eigen::Index count) { return count < 0 ? std::string("any") : std::to_string(count); };
    std::string what = "it";
    if (!doc.matrix(which)) what = fmt::format("\"{}\" of the model \"{}\"", tensor_of(which), visible(doc.model->name));
    out.push_back(problem(doc.matrix(which) ? given_id(which) : "weights",
                          fmt::format("{} is {} × {}, but must be {} × {}: {}", what, m->rows(), m->cols(), side(rows), side(cols), why)));
}

void check_heads_divide(const Document& doc, int width, std::string_view of, Problems& out) {
    if (width % doc.config.heads != 0)
        out.push_back(problem("heads", fmt::format("{} heads do not divide the {} columns of the {} into equal parts",
                                                   doc.config.heads, width, of)));
}

void check_projections(const Document& doc, const Sizes& s, Problems& out) {
    const auto [queries, keys, values] = projection_widths(doc, s.d);
    const int heads = doc.config.heads, shared = doc.config.key_heads();
    check_shape(out, doc, Given::W_Q, s.d, queries, "one row for each column of X");
    check_shape(out, doc, Given::W_K, s.d, keys, "one row for each column of X, and as many columns as W_Q");
    check_shape(out, doc, Given::W_V, s.d, values, "one row for each column of X");
    check_shape(out, doc, Given::W_O, values / shared * heads, -1, "one row for each column of the joined heads");
    check_shape(out, doc, Given::b_Q, 1, queries, "one number for each column of W_Q");
    check_shape(out, doc, Given::b_K, 1, keys, "one number for each column of W_K");
    check_shape(out, doc, Given::b_V, 1, values, "one number for each column of W_V");
    const std::optional<FrozenMatrix> w_o = held_shape(doc, Given::W_O);
    const Eigen::Index made = doc.config.head_width > 0 ? s.d : values / shared * heads;
    check_shape(out, doc, Given::b_O, 1, w_o ? w_o->cols() : made, "one number for each column of W_O");
    check_heads_divide(doc, queries, "queries", out);
    if (values % shared != 0)
        out.push_back(problem("heads", fmt::format("{} heads do not divide the {} columns of the values into equal parts", shared, values)));
}

void check_vectors(const Document& doc, const Form& form, const Sizes& s, Problems& out) {
    if (const auto& x = doc.matrix(Given::X); x && x->rows() != s.n)
        out.push_back(problem("X", fmt::format("it has {} rows, but the text has {} tokens: one row a token", x->rows(), s.n)));
    if (!has(form.reads, Reads::Source)) return;
    if (shows_scene(doc) && doc.matrix(Given::X_source))
        out.push_back(problem("X_source", "the regions of a scene have vectors of their own; remove X_source or set source_kind to \"text\""));
    if (shows_scene(doc) && doc.padding > 0)
        out.push_back(problem("padding", "the regions of a scene need no padding; remove padding or set source_kind to \"text\""));
    if (const auto& x = doc.matrix(Given::X_source)) {
        if (x->rows() != s.m)
            out.push_back(problem("X_source", fmt::format("it has {} rows, but the source has {} tokens: one row a token", x->rows(), s.m)));
        if (x->cols() != s.d)
            out.push_back(problem("X_source", fmt::format("it has {} columns, but X has {}: both texts have the same features", x->cols(), s.d)));
    } else if (const auto& own = doc.matrix(Given::X); own && s.m > 0) {
        out.push_back(problem("X", "with X given, the second text's vectors must be given, too: add X_source"));
    }
}

/// The words that a prediction chooses from.
std::vector<std::string> words_to_say(const Document& doc) {
    if (doc.model && takes_model_vectors(doc) && !trains_hard(doc)) return doc.model->words;
    return different({tokens_of(doc), shows_scene(doc) ? std::vector<std::string>{} : source_tokens_of(doc)});
}

/// The right words must be predictable, one per row of probabilities; padding where none is required.
void check_right_words(const Document& doc, const Sizes& s, Problems& out) {
    if (const std::string why = why_no_loss(doc); !why.empty() && s.n > 0)
        return out.push_back(problem("gradient", "there is no loss: " + why));
    const auto& target = doc.config.target;
    if (target.empty() || s.n == 0) return;
    const bool next = has(find_form(doc.config.form)->reads, Reads::Generate);
    if (target.size() != 1 && (next || static_cast<int>(target.size()) != s.n))
        out.push_back(problem("target", next ? fmt::format("it has {} words, but the text goes on with one", target.size())
                                             : fmt::format("it has {} words, but the text has {} tokens: one for each, or one for all", target.size(), s.n)));
    const auto words = words_to_say(doc);
    for (const std::string& word : target)
        if (word != kPadding && std::find(words.begin(), words.end(), word) == words.end())
            return out.push_back(problem("target", fmt::format("\"{}\" is none of the words that are predicted", visible(word))));
    if (std::all_of(target.begin(), target.end(), [](const std::string& word) { return word == kPadding; }))
        out.push_back(problem("target", "every word is [PAD], so there is nothing to predict"));
}

/// The target words must be in the vocabulary, one per query, and the values as wide as the word vectors.
void check_target(const Document& doc, const Form& form, const Sizes& s, Problems& out) {
    const auto& target = doc.config.target;
    if (doc.gradient && doc.gradient->loss && !trains_hard(doc)) return check_right_words(doc, s, out);
    if (target.empty() || s.n == 0) return;
    if (target.size() != 1 && static_cast<int>(target.size()) != s.n)
        out.push_back(problem("target", fmt::format("it has {} words, but the text has {} tokens: one for each, or one for all",
                                                    target.size(), s.n)));
    const auto source = shows_scene(doc) ? std::vector<std::string>{} : source_tokens_of(doc);
    const auto words = different({tokens_of(doc), source});
    for (const std::string& word : target)
        if (std::find(words.begin(), words.end(), word) == words.end()) {
            out.push_back(problem("target", fmt::format("\"{}\" is no word of the text{}; only these have vectors that can be said",
                                                        visible(word), has(form.reads, Reads::Source) ? "s" : "")));
            break;
        }
    if (const int values = projection_widths(doc, s.d).values; has(form.reads, Reads::Projections) && values != s.d)
        out.push_back(problem("target", fmt::format("the values have {} columns and the words {}: give W_V as many columns as X",
                                                    values, s.d)));
}

/// Every document that runs must be savable, and what is saved must open again.
void check_written_size(const Document& doc, Problems& out) {
    std::vector<std::pair<std::string_view, double>> parts;
    constexpr double kBytesOfANumber = 18, kBytesOfAnEntry = 4, kBytesOfAnEdit = 160, kWorthCounting = 1 << 16, kLongestEscape = 6;
    const auto text_bytes = [&](const std::string& text) {
        const double longest = kLongestEscape * static_cast<double>(text.size());
        if (longest < kWorthCounting) return longest;
        JsonWriter out_bytes(JsonLayout::Compact);
        out_bytes.string(text);
        return static_cast<double>(out_bytes.take().size());
    };
    parts.emplace_back("text", text_bytes(doc.text));
    parts.emplace_back("source", text_bytes(doc.source));
    double tokens = 0;
    for (const std::string& token : doc.tokens) tokens += text_bytes(token) + kBytesOfANumber;
    parts.emplace_back("tokens", tokens);
    double target = 0;
    for (const std::string& word : doc.config.target) target += text_bytes(word) + kBytesOfANumber;
    parts.emplace_back("target", target);
    parts.emplace_back("edits", kBytesOfAnEdit * static_cast<double>(doc.edits.size()));
    double interventions = 0;
    for (const Intervention& one : doc.interventions)
        interventions += kBytesOfAnEdit + text_bytes(one.text) + kBytesOfANumber * static_cast<double>(one.tokens.size());
    parts.emplace_back("interventions", interventions);
    parts.emplace_back("mask_pattern", kBytesOfAnEntry * static_cast<double>(doc.mask_pattern.size()));
    for (int i = 0; i < kGivenCount; ++i)
        if (const auto& given = doc.given[static_cast<std::size_t>(i)])
            parts.emplace_back(given_id(static_cast<Given>(i)), kBytesOfANumber * static_cast<double>(given->size()));
    double parameters = 0;
    for (const GivenParameter& given : doc.parameters) parameters += kBytesOfANumber * static_cast<double>(given.value.size());
    parts.emplace_back("parameters", parameters);
    double sum = 0;
    const auto* largest = &parts.front();
    for (const auto& part : parts) {
        sum += part.second;
        if (part.second > largest->second) largest = &part;
    }
    // This is an upper bound; the exact size is computed only for the few documents that exceed it.
    if (sum > static_cast<double>(kMaxDocumentBytes)) sum = static_cast<double>(document_to_json(doc).size());
    if (sum > static_cast<double>(kMaxDocumentBytes))
        out.push_back(problem(largest->first, fmt::format("the document would have about {:.1f} MB when it is saved, more than the "
                                                          "{:.1f} MB that are read; most of it is here",
                                                          sum / 1e6, static_cast<double>(kMaxDocumentBytes) / 1e6)));
}

/// A pattern contains only 0 and 1: a value in between would not hide a key.
void check_edits(const Document& doc, Problems& out) {
    for (std::size_t i = 0; i < doc.edits.size(); ++i) {
        const Edit& edit = doc.edits[i];
        const Role role = edit.tag.role;
        const bool pattern = role == Role::MaskPattern || role == Role::CausalPattern || role == Role::ScopePattern ||
                             role == Role::PatternTile;
        if (pattern && edit.value != 0 && edit.value != 1)
            out.push_back(problem(fmt::format("edits[{}].value", i), fmt::format("{} is not an entry of {}: 1 is visible, 0 is masked",
                                                                                 edit.value, step_name(edit.tag))));
    }
}

/// For a run that evicts, only what it holds counts; the user sets the limit.
void check_budget(const Document& doc, const Sizes& s, double held, Problems& out) {
    if (held <= most_held()) return;
    constexpr double kMiB = 1u << 20;
    out.push_back(problem(doc.tokens.empty() ? "text" : "tokens",
                          fmt::format("{} tokens need {:.1f} GB for what is held of each layer, more than the {:.1f} GB that a memory "
                                      "budget of {:.0f} MiB allows; take fewer tokens, or a larger budget: \"memory\" in the "
                                      "settings, --memory on the command line",
                                      std::max(s.n, s.m), held / 1e9, most_held() / 1e9, memory_budget() / kMiB)));
}

/// Memory of the run, and parameters that the model lacks.
void check_shapes(const Document& doc, const Sizes& s, Problems& out) {
    const std::optional<Trace> trace = shape_trace(doc);
    if (!trace) return;
    const Cost e = with_gradient(doc, trace->shapes->sum);
    out.insert(out.end(), trace->refused.begin(), trace->refused.end());
    // A model's own weights are not counted here: whether they fit is checked before the run.
    const double weights = doc.model && takes_model_weights(doc) ? static_cast<double>(doc.model->numbers()) * sizeof(float) : 0;
    if (doc.attention && !doc.attention->held) return;  // a map is read when it is looked at
    if (trace->evict_from) return check_budget(doc, s, e.held - weights, out);
    if (e.bytes - weights <= kMaxBytes) return;
    out.push_back(problem(doc.tokens.empty() ? "text" : "tokens",
                          fmt::format("{} tokens with {} heads need {:.1f} GB for every step, more than the {:.1f} GB "
                                      "allowed; take fewer tokens or heads",
                                      std::max(s.n, s.m), doc.config.heads, (e.bytes - weights) / 1e9, kMaxBytes / 1e9)));
}

/// Weights given by name must belong to existing steps and have their shape, which only a run shows.
void check_parameters(const Document& doc, Problems& out) {
    if (doc.parameters.empty()) return;
    const Inputs in = inputs_of(doc);
    if (!can_run(in, doc)) return;
    const Trace trace = run_attention(in, doc.config);
    out.insert(out.end(), trace.refused.begin(), trace.refused.end());
    if (!out.empty()) return;
    for (const GivenParameter& given : in.parameters) {
        if (std::find(trace.taken.begin(), trace.taken.end(), given.tag) != trace.taken.end()) continue;
        const Step* step = find(trace, given.tag);
        std::string why = fmt::format("the form \"{}\" has no such step with these choices", doc.config.form);
        if (!step && given.tag.head == kNoHead && find(trace, given.tag.of_head(0)))
            why = fmt::format("with {} heads each has its own: {}, and so on", doc.config.heads, step_name(given.tag.of_head(0)));
        if (step && step->op != Op::Input) why = "this step is computed; only weights can be given";
        if (step && step->op == Op::Input) why = "this step is not given by its name: X, W_Q, b_Q, mask_pattern … are keys of their own";
        out.push_back(problem(fmt::format("parameters.{}", step_name(given.tag)), std::move(why)));
    }
}

}  // namespace

Problems problems(const Document& doc) try {
    Problems out;
    check_values(doc, out);
    check_model(doc, out);
    if (out.empty())
        if (auto text = text_problem(doc)) out.push_back(std::move(*text));
    if (!out.empty()) return out;  // the checks below need valid table rows and the model
    const Form& form = *find_form(doc.config.form);
    const Sizes sizes = sizes_of(doc);
    check_attention(doc, sizes, out);
    check_picture(doc, form, out);
    check_read(doc, out);
    check_rows(doc, form, out);
    check_pattern(doc, form, sizes, out);
    check_together(doc, form, out);
    check_vectors(doc, form, sizes, out);
    check_target(doc, form, sizes, out);
    if (sizes.n > 0 && doc.config.kv_heads >= 0 && out.empty()) {
        if (has(form.reads, Reads::Projections))
            check_projections(doc, sizes, out);
        else if (has(form.reads, Reads::Heads) && (doc.config.head_width == 0 || !has(form.reads, Reads::Blocks)))
            check_heads_divide(doc, sizes.d, "vectors", out);
        check_pairs(doc, sizes, out);
    }
    check_written_size(doc, out);
    check_edits(doc, out);
    if (out.empty()) out = intervention_problems(doc);
    if (out.empty()) check_shapes(doc, sizes, out);
    if (out.empty()) check_parameters(doc, out);
    return out;
} catch (const ModelUnreadable& unreadable) {
    return {unreadable.error};
}

}  // namespace attn
