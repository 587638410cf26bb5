#include "app/cli/manual.h"

#include <array>
#include <cctype>

#include "app/cli/columns.h"
#include "app/content/program.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kManualIndent = 4;
constexpr std::size_t kDeeper = 8;

struct ExitMeaning {
    std::string_view code, meaning;
};
constexpr std::array kExitStatus = {
    ExitMeaning{"0", "done"},
    ExitMeaning{"1", "failure: a file cannot be written, memory is short"},
    ExitMeaning{"2", "usage: an unknown option, a missing or impossible argument"},
    ExitMeaning{"3", "bad input: a document, a text, a step or a cell that cannot be used"},
    ExitMeaning{"4", "no display, or no OpenGL 3.3"},
};

/// An output format for manual pages.
class ManualSheet {
public:
    virtual ~ManualSheet() = default;
    virtual void section(std::string_view title) = 0;
    virtual void paragraph(std::string_view text) = 0;
    /// An empty line: the end of a paragraph.
    virtual void gap() = 0;
    /// A line that is kept as it is.
    virtual void line(std::string_view text) = 0;
    /// A short name in a column of `column` cells, followed by its description.
    virtual void row(std::string_view name, std::size_t column, std::string_view text) = 0;
    virtual void option(const Option& option) = 0;
    std::string take() { return std::move(out_); }

protected:
    std::string out_;
};

class PlainManual : public ManualSheet {
public:
    void section(std::string_view title) override {
        if (!out_.empty()) out_ += '\n';
        out_.append(title) += '\n';
    }
    void paragraph(std::string_view text) override { out_ += wrapped(text, kManualIndent); }
    void gap() override { out_ += '\n'; }
    void line(std::string_view text) override { out_.append(kManualIndent, ' ').append(text) += '\n'; }
    void row(std::string_view name, std::size_t column, std::string_view text) override {
        std::string padded(name);
        padded.resize(std::max(column, padded.size()), ' ');
        line(padded.append(text));
    }
    void option(const Option& option) override {
        std::string names;
        for (const std::string& name : option.names()) names += (names.empty() ? "" : ", ") + name;
        line(option.value.empty() ? names : names + ' ' + option.value);
        out_ += wrapped(option.help, kDeeper);
    }
};

/// Text for groff: escapes special characters, and makes every hyphen a plain one.
std::string roff(std::string_view text) {
    std::string out;
    if (text.starts_with('.') || text.starts_with('\'')) out = "\\&";
    for (const char c : text) switch (c) {
            case '\\': out += "\\e"; break;
            case '-': out += "\\-"; break;
            case '`': out += "\\(ga"; break;
            case '\'': out += "\\(aq"; break;
            case '^': out += "\\(ha"; break;
            case '~': out += "\\(ti"; break;
            default: out += c;
        }
    return out;
}

class RoffManual : public ManualSheet {
public:
    explicit RoffManual(const std::string& name) {
        std::string title = name;
        for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        out_ = ".TH " + roff(title) + " 1 \"\" \"" + std::string(kProgram) + "\" \"Attenscope\"\n";
    }
    void section(std::string_view title) override {
        fill(true);
        out_ += ".SH " + roff(title) + '\n';
    }
    void paragraph(std::string_view text) override {
        fill(true);
        out_ += roff(text) + '\n';
    }
    void gap() override {
        fill(true);
        out_ += ".PP\n";
    }
    void line(std::string_view text) override {
        fill(false);
        out_ += roff(text) + '\n';
    }
    void row(std::string_view name, std::size_t, std::string_view text) override {
        out_ += ".TP\n\\fB" + roff(name) + "\\fR\n" + roff(text) + '\n';
    }
    void option(const Option& option) override {
        std::string names;
        for (const std::string& name : option.names()) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
        if (!option.value.empty()) names += " \\fI" + roff(option.value) + "\\fR";
        out_ += ".TP\n" + names + '\n' + roff(option.help) + '\n';
    }

private:
    void fill(bool on) {
        if (on != filled_) out_ += on ? ".fi\n" : ".nf\n";
        filled_ = on;
    }

    bool filled_ = true;
};

/// A section of paragraphs, separated by empty lines; lines that begin with a space are kept.
void write_paragraphs(ManualSheet& sheet, std::string_view title, std::string_view text) {
    if (text.empty()) return;
    sheet.section(title);
    std::string open;
    const auto close = [&] {
        if (!open.empty()) sheet.paragraph(open);
        open.clear();
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == ' ') {
            close();
            line.empty() ? sheet.gap() : sheet.line(line);
        } else {
            if (!open.empty()) open += ' ';
            open += line;
        }
    }
    close();
}

void write_options(ManualSheet& sheet, std::string_view title, std::span<const Option> options, bool arguments) {
    bool begun = false;
    for (const Option& option : options) {
        if (option.is_argument() != arguments) continue;
        if (!begun) sheet.section(title);
        begun = true;
        sheet.option(option);
    }
}

void write_commands(ManualSheet& sheet, std::span<const Command* const> commands) {
    if (commands.empty()) return;
    sheet.section("COMMANDS");
    for (const Command* command : commands) sheet.row(command->manual.name, 10, command->manual.summary);
    sheet.gap();
    sheet.paragraph("`attenscope COMMAND --help` prints the page of each.");
}

void write_manual(ManualSheet& sheet, const std::string& name, const Manual& manual, std::span<const Option> options,
                std::span<const Command* const> commands) {
    write_paragraphs(sheet, "NAME", name + " - " + std::string(manual.summary));
    write_paragraphs(sheet, "SYNOPSIS", manual.synopsis);
    write_paragraphs(sheet, "DESCRIPTION", manual.description);
    write_commands(sheet, commands);
    write_options(sheet, "ARGUMENTS", options, true);
    write_options(sheet, "OPTIONS", options, false);
    sheet.section("EXIT STATUS");
    for (const ExitMeaning& status : kExitStatus) sheet.row(status.code, 3, status.meaning);
    write_paragraphs(sheet, "ENVIRONMENT", manual.environment);
    write_paragraphs(sheet, "FILES", manual.files);
    write_paragraphs(sheet, "EXAMPLES", manual.examples);
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent) {
    const auto cells = [](std::string_view part) { return static_cast<float>(terminal_width(part)); };
    std::string out;
    for (const std::string_view line : wrap_lines(text, static_cast<float>(kColumns - indent), cells))
        if (!line.empty()) out.append(indent, ' ').append(line) += '\n';
    return out;
}

std::string manual_name(const Manual& manual) {
    return manual.name.empty() ? "attenscope" : "attenscope-" + std::string(manual.name);
}

std::string manual_page(const Manual& manual, std::span<const Option> options,
                        std::span<const Command* const> commands) {
    PlainManual sheet;
    write_manual(sheet, manual.name.empty() ? "attenscope" : "attenscope " + std::string(manual.name), manual, options, commands);
    return sheet.take();
}

std::string manual_roff(const Manual& manual, std::span<const Option> options,
                        std::span<const Command* const> commands) {
    RoffManual sheet(manual_name(manual));
    write_manual(sheet, manual_name(manual), manual, options, commands);
    return sheet.take();
}

}  // namespace app
