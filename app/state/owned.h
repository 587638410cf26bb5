#pragma once
// Values that screens' folders own (owned.inc). Whoever holds them knows nothing of their types, and yet they are copied and
// compared like members.

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <utility>

namespace app {

#define VIEW_PART(type) struct type;
#define DERIVED_PART(type) struct type;
#include "app/state/owned.inc"
#undef VIEW_PART
#undef DERIVED_PART

enum ViewPlace : std::size_t {
#define VIEW_PART(type) kViewPlaceOf##type,
#include "app/state/owned.inc"
#undef VIEW_PART
    kViewPlaces
};
enum DerivedPlace : std::size_t {
#define DERIVED_PART(type) kDerivedPlaceOf##type,
#include "app/state/owned.inc"
#undef DERIVED_PART
    kDerivedPlaces
};

/// Where a part stands among those of its kind.
template <class T>
inline constexpr std::size_t kPlaceOf = T::is_in_no_list;
#define VIEW_PART(type) \
    template <>         \
    inline constexpr std::size_t kPlaceOf<type> = kViewPlaceOf##type;
#define DERIVED_PART(type) \
    template <>            \
    inline constexpr std::size_t kPlaceOf<type> = kDerivedPlaceOf##type;
#include "app/state/owned.inc"
#undef VIEW_PART
#undef DERIVED_PART

/// One value of each type of a list. A part that was never written is its default, and takes no memory; copies share a part
/// until one of them is written, so that a reference to write through must not be kept while its holder is copied. A copy that
/// goes to another thread is only read there, and only replaced as a whole here.
template <std::size_t kPlaces>
class Owned {
public:
    template <class T>
    const T& get() const {
        const Part* part = parts_[kPlaceOf<T>].get();
        return part ? static_cast<const Of<T>*>(part)->value : Of<T>::usual();
    }
    template <class T>
    T& get() {
        std::shared_ptr<Part>& part = parts_[kPlaceOf<T>];
        if (!part || part.use_count() > 1) part = std::make_shared<Of<T>>(part ? static_cast<const Of<T>&>(*part).value : T{});
        return static_cast<Of<T>&>(*part).value;
    }
    bool operator==(const Owned& other) const {
        for (std::size_t i = 0; i < kPlaces; ++i) {
            const Part *here = parts_[i].get(), *there = other.parts_[i].get();
            if (here != there && !(here ? here->is_same(there) : there->is_same(here))) return false;
        }
        return true;
    }

private:
    struct Part {
        virtual ~Part() = default;
        /// Null: never written.
        virtual bool is_same(const Part* other) const = 0;
    };
    template <class T>
    struct Of final : Part {
        explicit Of(T from) : value(std::move(from)) {}
        bool is_same(const Part* other) const override {
            if constexpr (std::equality_comparable<T>) return value == (other ? static_cast<const Of*>(other)->value : usual());
            return false;
        }
        static const T& usual() {
            static const T kUsual{};
            return kUsual;
        }
        T value;
    };
    std::array<std::shared_ptr<Part>, kPlaces> parts_;
};

}  // namespace app
