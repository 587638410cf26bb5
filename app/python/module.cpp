// The engine as a Python module: attenscope.open(FOLDER).run(TEXT)["l7.weights.h11"] is a NumPy array that looks at the
// engine's own numbers.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/content/model_notes.h"
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

class PythonRun {
public:
    explicit PythonRun(attn::Run run) : run_(std::move(run)) {}

    /// It holds the numbers, whatever becomes of the run, and cannot be written.
    py::array_t<float> step(const std::string& name) const {
        const attn::StepId id = attn::find_step(trace(), name);
        if (id == attn::kNoStep) throw py::key_error(name);
        const attn::StepValue& value = trace()[id].value;
        std::shared_ptr<const attn::Matrix> held;
        {
            const py::gil_scoped_release others;  // an evicted value is recomputed here
            held = value.held();
        }
        if (!held && value.size() > 0) throw std::logic_error("a step of a finished run has no numbers");
        if (!held) return py::array_t<float>({value.rows(), value.cols()});
        auto owner = std::make_unique<std::shared_ptr<const attn::Matrix>>(held);
        const py::capsule base(owner.get(), [](void* kept) { delete static_cast<std::shared_ptr<const attn::Matrix>*>(kept); });
        owner.release();
        py::array_t<float> out({held->rows(), held->cols()}, held->data(), base);
        out.attr("flags").attr("writeable") = false;
        return out;
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
