// Export from the window: the panel, the files that it writes, and its errors.

#include "app/shell/exporter.h"

#include <chrono>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "app/panels/figures.h"
#include "app/screens/heads/heads.h"
#include "app/shell/child.h"
#include "app/state/edits.h"
#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/model/model.h"
#include "places.h"
#include "tests/app/app_fixture.h"
#include "tests/app/cli_fixture.h"
#include "tests/support/png_file.h"

namespace app {
namespace {

using cli_test::bytes_of;

class ExportPanel : public AppFrame {
protected:
    void SetUp() override {
        AppFrame::SetUp();
        if (!app_) return;
        AppOptions options;
        options.program = ATTN_PROGRAM;
        app_.reset();
        auto opened = App::open(options);
        ASSERT_TRUE(opened.ok());
        app_ = std::move(*opened);
        show("the tired cat", "causal", {attn::Role::Weights});
    }
    const ExportState& exporting() { return app_->state().exporting; }
    /// Opens the panel with a choice, whose file goes into the test's folder.
    void choose(Subject subject, std::string_view format, const std::string& name) {
        ViewState view = app_->state().view;
        view.sheet = Sheet::Export;
        view.exporting = {subject, std::string(format), 1, true, true, folder_ / name, false};
        app_->apply(becomes(view));
        frame();
    }
    void wait() {
        constexpr int kPatience = 600;
        for (int i = 0; i < kPatience && exporting().running; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            frame(1);
        }
        frame();
    }
    void save() {
        click("export_save");
        wait();
        EXPECT_EQ(exporting().problem, "");
        EXPECT_EQ(app_->state().view.sheet, Sheet::None);
    }

    cli_test::Folder folder_;
};

TEST_F(ExportPanel, ProposesANameThatIsFree) {
    key_with_ctrl(gui::Key::E);
    frame();
    EXPECT_EQ(app_->state().view.sheet, Sheet::Export);
    EXPECT_TRUE(app_->state().view.exporting.path.ends_with("attenscope-weights.png"))
        << app_->state().view.exporting.path;
    click("export_format.1");
    EXPECT_TRUE(app_->state().view.exporting.path.ends_with(".svg"));
    click("export_what.3");
    EXPECT_TRUE(app_->state().view.exporting.path.ends_with(".csv"));
    std::ofstream(folder_ / "attenscope-a.png") << "taken";
    EXPECT_EQ(proposed_path(folder_.path().string(), "a", "png"), folder_ / "attenscope-a-2.png");
    press(gui::Key::Escape);
    EXPECT_EQ(app_->state().view.sheet, Sheet::None);
}

TEST_F(ExportPanel, WritesAMatrixADocumentAndALink) {
    choose(Subject::Matrix, "csv", "w.csv");
    save();
    EXPECT_EQ(bytes_of(folder_ / "w.csv").substr(0, 15), ",the,tired,cat\n");
    EXPECT_NE(app_->state().view.done.find(folder_ / "w.csv"), std::string::npos) << app_->state().view.done;
    choose(Subject::Document, "json", "d.json");
    save();
    EXPECT_EQ(bytes_of(folder_ / "d.json"), attn::document_to_json(app_->state().document));
    choose(Subject::Document, "link", "d.txt");
    save();
    EXPECT_EQ(*attn::document_from_link(bytes_of(folder_ / "d.txt")), app_->state().document);
    choose(Subject::Steps, "json", "s.json");
    save();
    EXPECT_NE(bytes_of(folder_ / "s.json").find("\"steps\""), std::string::npos);
}

TEST_F(ExportPanel, ReplacesNothingWithoutConfirmation) {
    std::ofstream(folder_ / "w.csv") << "mine";
    choose(Subject::Matrix, "csv", "w.csv");
    click("export_save");
    frame();
    EXPECT_TRUE(exporting().exists);
    EXPECT_FALSE(exporting().running);
    EXPECT_EQ(bytes_of(folder_ / "w.csv"), "mine");
    EXPECT_EQ(app_->state().view.sheet, Sheet::Export);
    click("export_save");  // now the button says: replace
    wait();
    EXPECT_EQ(bytes_of(folder_ / "w.csv").substr(0, 4), ",the");
}

TEST_F(ExportPanel, ReportsErrors) {
    choose(Subject::Matrix, "csv", "no/such/folder/w.csv");
    click("export_save");
    wait();
    EXPECT_NE(exporting().problem, "");
    EXPECT_EQ(app_->state().view.sheet, Sheet::Export);
    choose(Subject::View, "png", "no/such/folder/w.png");
    click("export_save");
    wait();
    EXPECT_NE(exporting().problem, "");
    choose(Subject::Matrix, "csv", "");
    click("export_save");
    wait();
    EXPECT_NE(exporting().problem, "") << "a folder is no file";
}

TEST_F(ExportPanel, DrawsTheViewAsItIs) {
    click("cell_1_0");
    end_motion();
    choose(Subject::View, "png", "v.png");
    click("export_panels");
    EXPECT_FALSE(app_->state().view.exporting.panels);
    save();
    const std::string bytes = bytes_of(folder_ / "v.png");
    const auto png = decode_png({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    ASSERT_TRUE(png);
    EXPECT_EQ(png->image.width, static_cast<int>(kSize.w));
    EXPECT_EQ(png->image.height, static_cast<int>(kSize.h));
    // The same frame, except for highlighting under the pointer and messages. (The header shows what can be undone.)
    gui::inject_mouse_pos({1, 1});
    frame();
    app_->apply(Tell{});
    ViewState view = app_->state().view;
    view.panels = false;
    app_->apply(becomes(view));
    const auto here = render_frame(*app_, kSize);
    ASSERT_TRUE(here);
    EXPECT_EQ(png->image, *here);
}

/// The window and the command line write the same file, byte by byte.
TEST_F(ExportPanel, AFigureEqualsTheCommandLines) {
    click("cell_1_0");
    end_motion();
    for (const std::string format : {"svg", "png"}) {
        choose(Subject::Figure, format, "window." + format);
        click("export_ground.2");
        click("export_figure_caption");
        app_->apply(ChangeView{[](ViewState& view) { view.exporting.millimetres = 85; }});
        frame();
        EXPECT_EQ(app_->state().view.exporting.figure, (FigureLook{true, false, FigureLook::Ground::None}));
        save();
        ChildJob line;
        line.program = ATTN_PROGRAM;
        line.arguments = {"render", "-", "--figure", "stage", "--width", "85mm", "--caption", "off", "--ground", "none", "--step", "weights",
                          "--row", "2", "--column", "1", "--language", "en", "-o", folder_ / ("line." + format)};
        line.input = attn::document_to_json(app_->state().document);
        const auto drawn = run_child(line);
        ASSERT_TRUE(drawn) << drawn.error().text();
        const std::string bytes = bytes_of(folder_ / ("window." + format));
        EXPECT_FALSE(bytes.empty());
        EXPECT_TRUE(bytes == bytes_of(folder_ / ("line." + format))) << format;
    }
}

/// The same for every other figure.
TEST_F(ExportPanel, EveryFigureEqualsTheCommandLines) {
    for (const FigureKind& kind : figure_kinds()) {
        SCOPED_TRACE(kind.name);
        attn::Document document;
        use_model(document, attn::shipped_model(kind.map ? "language" : kind.page == "alignment" ? "alignment" : "questions"));
        app_->apply(becomes(document));
        ViewState view = first_state(Language::English).view;
        view.screen = kind.screen;
        view.part<HeadsChoice>().page = kind.page;
        app_->apply(becomes(view));
        app_->finish();
        app_->apply(GoToStop{static_cast<int>(app_->derived().timeline.stops.size()) - 1, 1});
        if (kind.map) app_->apply(LookAt{app_->derived().place, whole_of(app_->derived().map, app_->derived().place), false});
        end_motion();
        frame();
        const std::string name = std::string(kind.name) + ".svg";
        choose(Subject::Figure, "svg", "window-" + name);
        save();
        ChildJob line;
        line.program = ATTN_PROGRAM;
        line.arguments = {"render", "-", "--figure", std::string(kind.name), "--width", fmt::format("{}mm", view.exporting.millimetres), "--language", "en", "-o", folder_ / ("line-" + name)};
        line.input = attn::document_to_json(app_->state().document);
        const auto drawn = run_child(line);
        ASSERT_TRUE(drawn) << drawn.error().text();
        const std::string bytes = bytes_of(folder_ / ("window-" + name));
        EXPECT_FALSE(bytes.empty());
        EXPECT_TRUE(bytes == bytes_of(folder_ / ("line-" + name)));
    }
}

TEST_F(ExportPanel, AScreenWithoutAFigureSaysSo) {
    app_->state().view.screen = Screen::Experiments;
    choose(Subject::Figure, "png", "none.png");
    click("export_save");
    wait();
    EXPECT_NE(exporting().problem.find("no figure"), std::string::npos) << exporting().problem;
}

TEST_F(ExportPanel, AnAnimationReportsProgressAndCanBeCancelled) {
    choose(Subject::Animation, "gif", "a.gif");
    click("export_save");
    EXPECT_TRUE(exporting().running);
    float seen = 0;
    for (int i = 0; i < 400 && exporting().running && seen <= 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(25));
        frame(1);
        seen = exporting().share;
    }
    EXPECT_GT(seen, 0);
    EXPECT_LT(seen, 1);
    click("export_cancel");
    wait();
    EXPECT_FALSE(exporting().running);
    EXPECT_EQ(exporting().problem, "");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.gif"));
    EXPECT_NE(app_->state().view.done, "");
}

TEST(Child, ReportsWhyItFailed) {
    EXPECT_FALSE(run_child({"/no/such/program", {}, ""}));
    const auto refused = run_child({ATTN_PROGRAM, {"trace", "/no/such/file.json"}, ""});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("/no/such/file.json"), std::string::npos) << refused.error().text();
    EXPECT_TRUE(run_child({ATTN_PROGRAM, {"trace", "-"}, "{}"}));
    // A command that does not read its input does not block.
    EXPECT_TRUE(run_child({"/bin/true", {}, std::string(1 << 22, ' ')}));
}

}  // namespace
}  // namespace app
