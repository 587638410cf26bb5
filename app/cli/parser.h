#pragma once
// The options of one command. The one place that knows the parsing library (which takes half a minute to compile).

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// What is wrong with a value, as the end of a sentence; empty: nothing.
using ValueCheck = std::function<std::string(const std::string& value)>;

/// A number written with '.', inside the closed range; NaN and "1,5" are none.
ValueCheck number_between(double low, double high);
/// The same for whole numbers.
ValueCheck whole_between(int low, int high);
/// The whole of `text` as a number with '.', whatever the locale; NaN and infinities are none.
std::optional<double> number_of(std::string_view text);

/// Ids of a table's rows.
template <class Table>
std::vector<std::string_view> ids_of(const Table& table) {
    std::vector<std::string_view> ids;
    for (const auto& row : table) ids.push_back(row.id);
    return ids;
}

/// An option, or an argument where the name has no hyphen.
struct Option {
    std::string name{};   ///< "FILE", "--text", "-o,--output"
    std::string value{};  ///< how the manual calls its value: "TEXT"; empty for flags and arguments
    std::string help{};
    ValueCheck check{};
    std::vector<std::string_view> choices{};  ///< the values that there are; empty: others than these
    bool required = false;
    bool may_be_empty = false;  ///< "" is a value like others, not a variable of a script that was not set
    std::vector<std::string> excludes{};  ///< names of options that cannot stand beside it
    std::vector<std::string> needs{};     ///< names of options that it cannot do without
    bool repeated = false;  ///< set by Parser::add: as often as wanted

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

    /// Targets must live until `parse` has returned; what is not given leaves them as they are.
    void add(Option option, std::string& target);
    void add(Option option, std::optional<std::string>& target);
    /// As often as wanted: an option takes one value each time, an argument all that are left.
    void add(Option option, std::vector<std::string>& target);
    /// Numbers need a check that they are some.
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

    /// In the order of the manual; --help comes first by itself.
    std::span<const Option> options() const { return options_; }

private:
    struct Impl;
    void add_value(Option option, std::function<void(const std::string&)> take);

    std::unique_ptr<Impl> impl_;
    std::vector<Option> options_;
};

}  // namespace app
