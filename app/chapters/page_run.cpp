#include "app/chapters/page_run.h"

#include <algorithm>
#include <iterator>

#include "app/chapters/do.h"
#include "app/content/number_text.h"
#include "app/explain/inspection.h"
#include "app/screens/experiments/look.h"
#include "app/screens/training/page.h"
#include "app/screens/training/training.h"
#include "app/timeline/labels.h"

namespace app {

std::unique_ptr<PageRun> run_page(const Chapter& chapter, const ChapterPage& page, Language language) {
    auto out = std::make_unique<PageRun>();
    out->document = page_document(chapter, page, language);
    auto run = attn::run(out->document);
    if (!run) return nullptr;
    out->run = std::move(*run);
    const ViewPart own = part_of_page(page.enter, language);
    out->context = std::make_unique<ChapterContext>(
        page_context(out->document, out->run, out->document, language, own.values.part<ExperimentsLook>().paths.dials));
    if (own.has("convention")) out->context->convention = own.values.convention;
    if (own.has("trained")) out->context->trained = train_for_page(own.values.part<TrainingLook>());
    return out;
}

Prose question_prose(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& context) {
    const Language language = context.language;
    if (const Prose& say = in(ask.say, language); !say.empty()) return fill_prose(say, asking_context(context, question));
    const QuestionKind* kind = find_question_kind(ask.kind);
    if (!kind) return {};
    std::string row, column, step;
    if (question.step != attn::kNoStep) {
        const attn::Step& of = context.trace[question.step];
        const AxisLabels labels = labels_of(context.trace, language);
        step = name_of(context.trace, question.step, language);
        if (question.row > 0) row = labels.of(of.rows, question.row - 1);
        if (question.column > 0) column = labels.of(of.cols, question.column - 1);
    }
    const std::string tolerance = number_text(static_cast<float>(ask.tolerance), 2);
    std::string_view slots[4] = {};
    for (std::size_t i = 0; i < std::min(kind->slots.size(), std::size(slots)); ++i) {
        const char slot = kind->slots[i];
        slots[i] = slot == 'r' ? row : slot == 'c' ? column : slot == 's' ? step : tolerance;
    }
    const std::string text = fill_in(tr(kind->sentence, language), {slots[0], slots[1], slots[2], slots[3]});
    return {{{ProseBlock::Kind::Paragraph, {{ProseSpan::Kind::Plain, text}}}}, {}};
}

}  // namespace app
