// The engine as a Python module: attenscope.open(FOLDER).run(TEXT)["l7.weights.h11"] is a NumPy array that looks at the
// engine's own numbers.
#include <pybind11/eval.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/content/model_notes.h"
#include "app/export/png.h"
#include "app/gfx/palette.h"
#include "core/document/document.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/trace/trace.h"

namespace py = pybind11;

namespace {

struct Failed : std::runtime_error {
    explicit Failed(const attn::Error& error) : std::runtime_error(error.text()) {}
};

template <class T>
T taken(attn::Result<T> result) {
    if (!result) throw Failed(result.error());
    return std::move(*result);
}

// Pixels. Cells are squares while these have kLeastCell at least; a larger matrix has lower or narrower ones, and where
// there are more numbers than kMostPixels, a pixel shows the one of largest magnitude under it.
constexpr py::ssize_t kMostPixels = 800, kLeastCell = 8, kMostCell = 32;
constexpr app::gfx::Rgb kNegative = app::gfx::rgb(0x5B6475), kMasked = app::gfx::rgb(0xC3C9D4);  // as in the window's light theme

using Numbers = py::array_t<float, py::array::c_style | py::array::forcecast>;

/// The colours of the window's matrices: from 0 to the largest number or, with negative ones, from one sign to the other.
struct Colors {
    app::gfx::Ramp ramp;
    app::gfx::Range range;

    app::gfx::Rgb of(float value) const { return !std::isfinite(value) ? kMasked : app::gfx::ramp_color(ramp, app::gfx::position(range, value)); }
};

Colors colors_for(const float* begin, const float* end) {
    app::gfx::Range range{0, 0};
    for (const float* at = begin; at != end; ++at)
        if (std::isfinite(*at)) range = {std::min(range.lo, *at), std::max(range.hi, *at)};
    if (range.lo == 0) return {app::gfx::sequential_ramp(app::gfx::kScoreHue), {0, range.hi > 0 ? range.hi : 1}};
    const app::gfx::Rgb paper = app::gfx::paper_color(app::gfx::Backdrop::Light);
    return {{{{0.0f, kNegative}, {0.5f, paper}, {1.0f, app::gfx::kScoreHue}}}, app::gfx::symmetric(range)};
}

/// The number of largest magnitude; not a number if one of them is not. A masked score, which is -∞, is none if there are
/// others.
float loudest(const float* matrix, py::ssize_t columns, py::ssize_t top, py::ssize_t bottom, py::ssize_t left, py::ssize_t right) {
    float out = -std::numeric_limits<float>::infinity();
    for (py::ssize_t r = top; r < bottom; ++r)
        for (py::ssize_t c = left; c < right; ++c) {
            const float value = matrix[r * columns + c];
            if (std::isnan(value)) return value;
            if (std::isfinite(value) && !(std::abs(value) <= std::abs(out) && std::isfinite(out))) out = value;
        }
    return out;
}

/// A picture of a matrix, or of a vector as one row.
py::bytes png_of(const Numbers& numbers) {
    const py::ssize_t rows = numbers.ndim() == 2 ? numbers.shape(0) : 1, columns = numbers.shape(numbers.ndim() - 1);
    const auto side = [](py::ssize_t cells) { return std::clamp<py::ssize_t>(kMostPixels / cells, 1, kMostCell); };
    const bool square = side(std::max(rows, columns)) >= kLeastCell;
    const py::ssize_t cell_high = side(square ? std::max(rows, columns) : rows), cell_wide = side(square ? std::max(rows, columns) : columns);
    const py::ssize_t high = std::min(rows, kMostPixels), wide = std::min(columns, kMostPixels);
    const Colors colors = colors_for(numbers.data(), numbers.data() + numbers.size());
    app::gfx::Image image = app::gfx::make_image(static_cast<int>(wide * cell_wide), static_cast<int>(high * cell_high));
    for (py::ssize_t r = 0; r < high; ++r)
        for (py::ssize_t c = 0; c < wide; ++c) {
            const py::ssize_t top = r * rows / high, bottom = (r + 1) * rows / high, left = c * columns / wide, right = (c + 1) * columns / wide;
            const app::gfx::Rgb color = colors.of(loudest(numbers.data(), columns, top, bottom, left, right));
            for (py::ssize_t y = r * cell_high; y < (r + 1) * cell_high; ++y)
                for (py::ssize_t x = c * cell_wide; x < (c + 1) * cell_wide; ++x) {
                    std::uint8_t* const pixel = image.at(static_cast<int>(x), static_cast<int>(y));
                    pixel[0] = app::gfx::to_byte(color.r), pixel[1] = app::gfx::to_byte(color.g);
                    pixel[2] = app::gfx::to_byte(color.b), pixel[3] = 255;
                }
        }
    const std::vector<std::uint8_t> bytes = taken(app::encode_png(image));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The class of the arrays: NumPy's, which a notebook shows as a picture. What is computed from one shows itself the same
/// way, and a single number is an ordinary one.
constexpr const char* kStepClass = R"(
import numpy as _numpy

class Step(_numpy.ndarray):
    "The numbers of a step: a NumPy array that a notebook shows as a picture."

    def __array_wrap__(self, array, context=None, return_scalar=False):
        return array[()] if array.ndim == 0 else _numpy.asarray(array).view(Step)

    def _repr_png_(self):
        if self.ndim not in (1, 2) or self.size == 0 or self.dtype.kind not in "biuf":
            return None
        return _png_of(self)

Step.__module__ = "attenscope"
)";

class PythonRun {
public:
    explicit PythonRun(attn::Run run) : run_(std::move(run)) {}

    /// It holds the numbers, whatever becomes of the run, and cannot be written.
    py::object step(const std::string& name) const {
        const attn::StepId id = attn::find_step(trace(), name);
        if (id == attn::kNoStep) throw py::key_error(name);
        const attn::StepValue& value = trace()[id].value;
        std::shared_ptr<const attn::Matrix> held;
        {
            const py::gil_scoped_release others;  // an evicted value is recomputed here
            held = value.held();
        }
        if (!held && value.size() > 0) throw std::logic_error("a step of a finished run has no numbers");
        if (!held) return shown(py::array_t<float>({value.rows(), value.cols()}));
        auto owner = std::make_unique<std::shared_ptr<const attn::Matrix>>(held);
        const py::capsule base(owner.get(), [](void* kept) { delete static_cast<std::shared_ptr<const attn::Matrix>*>(kept); });
        owner.release();
        py::array_t<float> out({held->rows(), held->cols()}, held->data(), base);
        out.attr("flags").attr("writeable") = false;
        return shown(out);
    }

    std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const attn::Step& step : trace().steps) out.push_back(attn::step_name(step.tag));
        return out;
    }
    bool has(const std::string& name) const { return attn::find_step(trace(), name) != attn::kNoStep; }
    std::size_t size() const { return trace().steps.size(); }
    std::vector<std::string> tokens() const { return trace().tokens; }
    std::vector<std::string> source_tokens() const { return trace().source_tokens; }

private:
    const attn::Trace& trace() const { return run_.trace; }
    static py::object shown(const py::array& array) { return array.attr("view")(py::module_::import("attenscope").attr("Step")); }

    attn::Run run_;
};

class PythonModel {
public:
    explicit PythonModel(attn::ModelPtr model) : model_(std::move(model)) {}

    /// `settings`: fields of a document by their names, as `attenscope --set` takes them.
    std::unique_ptr<PythonRun> run(const std::string& text, const std::string& source, const py::dict& settings) const {
        attn::Document document;
        attn::take_model(document, model_);
        if (source.empty())
            attn::give_sentence(document, text);
        else
            document.text = text, document.source = source;
        const py::module_ json = py::module_::import("json");
        for (const auto& [key, value] : settings) {  // a text as it is, as on the command line
            const py::object said = py::isinstance<py::str>(value) ? py::reinterpret_borrow<py::object>(value) : json.attr("dumps")(value);
            taken(attn::set_field(document, py::str(key).cast<std::string>(), said.cast<std::string>()));
        }
        const py::gil_scoped_release others;
        return std::make_unique<PythonRun>(taken(attn::run(document)));
    }
    const std::vector<std::string>& words() const { return model_->words; }
    std::vector<std::string> notes() const {
        std::vector<std::string> out;
        for (const attn::ModelNote& note : model_->notes) out.push_back(app::model_note_text(note, app::Language::English));
        return out;
    }

private:
    attn::ModelPtr model_;
};

}  // namespace

PYBIND11_MODULE(attenscope, m) {
    m.doc() = "Attention, computed and shown number by number: the engine of Attenscope.";
    py::register_exception<Failed>(m, "Error", PyExc_ValueError);
    m.def("_png_of", &png_of);
    py::exec(kStepClass, m.attr("__dict__"));
    py::class_<PythonRun>(m, "Run", "Every step of a computation, by its name; layers and heads count from 1.")
        .def("__getitem__", &PythonRun::step, "The numbers of a step, without a copy.")
        .def("__contains__", &PythonRun::has)
        .def("__len__", &PythonRun::size)
        .def("__iter__", [](const PythonRun& run) { return py::cast(run.names()).attr("__iter__")(); })
        .def("keys", &PythonRun::names)
        .def_property_readonly("tokens", &PythonRun::tokens)
        .def_property_readonly("source_tokens", &PythonRun::source_tokens);
    py::class_<PythonModel>(m, "Model")
        .def("run", [](const PythonModel& model, const std::string& text, const std::string& source,
                       const py::kwargs& settings) { return model.run(text, source, settings); },
             py::arg("text"), py::arg("source") = "", "Computes a text; other arguments are fields of a document.")
        .def_property_readonly("words", &PythonModel::words)
        .def_property_readonly("notes", &PythonModel::notes, "What of its files is not computed, or perhaps not; a sentence each.");
    m.def("open", [](const std::string& name) {
        const py::gil_scoped_release others;
        return PythonModel(taken(attn::find_model(name, {.folders = true})));
    }, py::arg("model"), "A folder in Hugging Face's layout, or the name of a model that comes along.");
}
