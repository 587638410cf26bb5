// Parts of a view that belong to screens' folders: they behave like members.

#include <gtest/gtest.h>

#include <utility>

#include "app/screens/experiments/look.h"
#include "app/screens/heads/look.h"
#include "app/state/state.h"

namespace app {
namespace {

TEST(Owned, UnwrittenPartsAreDefaults) {
    const ViewState view;
    EXPECT_EQ(view.part<HeadsChoice>(), HeadsChoice{});
    ViewState touched;
    touched.part<HeadsChoice>();  // it could have been written
    EXPECT_EQ(touched, view);
    EXPECT_EQ(view, touched);
    touched.part<HeadsChoice>().keep = 0.5f;
    EXPECT_NE(touched, view);
    EXPECT_NE(view, touched);
    touched.part<HeadsChoice>().keep = HeadsChoice{}.keep;
    EXPECT_EQ(touched, view);
}

TEST(Owned, CopiesAreIndependent) {
    ViewState first;
    first.part<HeadsChoice>().only = {1, 2};
    ViewState second = first;
    EXPECT_EQ(first, second);
    EXPECT_EQ(&std::as_const(first).part<HeadsChoice>(), &std::as_const(second).part<HeadsChoice>()) << "they share it";
    second.part<HeadsChoice>().only = {3};
    EXPECT_EQ(first.part<HeadsChoice>().only, (std::vector<int>{1, 2}));
    EXPECT_EQ(second.part<HeadsChoice>().only, (std::vector<int>{3}));
    first.part<HeadsChoice>().only = {3};
    EXPECT_EQ(first, second) << "equal, and not the same";
    const HeadsChoice* before = &first.part<HeadsChoice>();
    EXPECT_EQ(before, &first.part<HeadsChoice>()) << "what is nobody else's stays where it is";
}

TEST(Owned, PartsAreIndependent) {
    ViewState view;
    view.part<ExperimentsLook>().page = "paths";
    EXPECT_EQ(view.part<HeadsChoice>(), HeadsChoice{});
    EXPECT_EQ(view.part<ExperimentsLook>().page, "paths");
}

}  // namespace
}  // namespace app
