// look MODEL STEP TEXT: computes a text with a model, a folder or the name of a shipped one, and prints one step: "l1.weights.h2"
// are the weights of the second head in the first layer, a row a query.
#include <cstdio>
#include <string>

#include "core/document/document.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/trace/trace.h"

int main(int argc, char** argv) {
    if (argc != 4) return std::fputs("usage: look MODEL STEP TEXT\n", stderr), 2;
    const auto failed = [](const attn::Error& error) { return std::fprintf(stderr, "look: %s\n", error.text().c_str()), 1; };

    const auto model = attn::find_model(argv[1], {.folders = true});
    if (!model) return failed(model.error());
    attn::Document document;
    attn::take_model(document, *model);       // its settings, its vectors and its weights
    attn::give_sentence(document, argv[3]);

    const auto run = attn::run(document);     // the trace: every step with its numbers
    if (!run) return failed(run.error());
    const attn::StepId id = attn::find_step(run->trace, argv[2]);
    if (id == attn::kNoStep) return std::fprintf(stderr, "look: there is no step %s\n", argv[2]), 1;

    const attn::Step& step = run->trace[id];
    for (int row = 0; row < step.value.rows(); ++row) {
        std::printf("%s", attn::axis_label(run->trace, step.rows, row).c_str());
        for (int col = 0; col < step.value.cols(); ++col) std::printf("\t%.9g", static_cast<double>(step.value(row, col)));
        std::printf("\n");
    }
}
