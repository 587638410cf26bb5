#pragma once
// The options of a command. The only place that uses the parsing library (which takes half a minute to compile).

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Checks a value and returns the error as the end of a sentence; empty: no error.
using ValueCheck = std::function<std::string(const std::string& value)>;

/// A number written with '.', in the closed range; rejects NaN and "1,5".
ValueCheck number_between(double low, double high);
/// The same for whole numbers.
ValueCheck whole_between(int low, int high);
/// The whole of `text` as a number with '.', whatever the locale; rejects NaN and infinities.
std::optional<double> number_of(std::string_view text);

/// The ids of a table's rows.
template <class Table>
std::vector<std::string_view> ids_of(const Table& table) {
    std::vector<std::string_view> ids;
    for (const auto& row : table) ids.push_back(row.id);
    return ids;
}

/// An option, or an argument if the name has no hyphen.
struct Option {
    std::string name{};   ///< "FILE", "--text", "-o,--output"
    std::string value{};  ///< the value's name in the manual: "TEXT"; empty for flags and arguments
    std::string help{};
    ValueCheck check{};
    std::vector<std::string_view> choices{};  ///< the allowed values; empty: any
    bool required = false;
    bool may_be_empty = false;  ///< "" is a valid value; else it is an error (an unset variable of a script)
    std::vector<std::string> excludes{};  ///< names of options that exclude it
    std::vector<std::string> needs{};     ///< names of options that it requires
    bool repeated = false;  ///< set by Parser::add: may be repeated

    bool is_argument() const { return !name.starts_with('-'); }
    /// "-o" and "--output".
    std::vector<std::string> names() const;
};

class Parser {
public:
    Parser();
    ~Parser();
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;

    /// Targets must outlive the call of `parse`; an option that is not given leaves its target unchanged.
    void add(Option option, std::string& target);
    void add(Option option, std::optional<std::string>& target);
    /// May be repeated: an option takes one value each time, an argument all that remain.
    void add(Option option, std::vector<std::string>& target);
    /// Numbers need a check that they are numbers.
    void add(Option option, int& target);
    void add(Option option, float& target);
    void add(Option option, std::optional<float>& target);
    void add(Option option, std::optional<double>& target);
    void add(Option option, bool& target);

    enum class Wish { Run, Help, Error };
    struct Outcome {
        Wish wish = Wish::Run;
        std::string message{};  ///< of an error
    };
    Outcome parse(std::span<const std::string> arguments);

    /// In the manual's order; --help is added in front.
    std::span<const Option> options() const { return options_; }

private:
    struct Impl;
    void add_value(Option option, const std::function<void(const std::string&)>& take);

    std::unique_ptr<Impl> impl_;
    std::vector<Option> options_;
};

}  // namespace app
