package io.frameloom.overlay;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.vulkan.RenderDocCapture;
import io.frameloom.overlay.FrameOverlay.Completed;
import io.frameloom.overlay.TextureChoice.Candidate;
import io.frameloom.overlay.Widgets.Bar;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.FrameStatistics.PassTime;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgTextureView;
import io.frameloom.rdg.RenderGraph;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lwjgl.nuklear.NkContext;
import org.lwjgl.nuklear.NkPluginFilter;
import org.lwjgl.nuklear.NkRect;
import org.lwjgl.nuklear.NkWindow;
import org.lwjgl.nuklear.Nuklear;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/**
 * What the overlay says, in a window that can be moved and folded. One thread but for {@link #holdsPointer} and {@link
 * #holdsKeys}.
 */
final class OverlayPanel implements AutoCloseable {
    private static final String TITLE = "Frameloom";
    private static final int WIDTH = 330;
    private static final int MARGIN = 8;
    private static final int LIST_HEIGHT = 190;
    private static final int GRAPH_HEIGHT = 56;
    private static final int BAR_WIDTH = 110;
    private static final int FILTER_WIDTH = 44;
    private static final int FILTER_BYTES = 64;

    /** Words of a plan cost a compilation, and numbers of memory a look at all of it. */
    private static final long REFRESH_NANOS = 500_000_000;

    private static final double NANOS = 1e9;

    /** Nuklear's NK_PROPERTY_EDIT, which the binding has not; a number that is dragged is in another state. */
    private static final int PROPERTY_EDIT = 1;

    private final GpuDevice device;
    private final NkContext context;
    private final Widgets widgets;
    /** Null where RenderDoc is not in the process. */
    private final @Nullable RenderDocCapture renderDoc;

    private final FrameHistory history = new FrameHistory();
    private final ByteBuffer filter = MemoryUtil.memCalloc(FILTER_BYTES);
    private final NkPluginFilter characters = NkPluginFilter.create(Nuklear::nnk_filter_ascii);
    private long lastFrame;
    private @Nullable Completed last;

    private String pass = "";
    private String texture = "";
    private int textureNumber;
    private int mip;
    private float low;
    private float high = 1;

    /** Whether the filter is being typed in the frame that is described. */
    private boolean filters;

    private long refreshed;
    private @Nullable MemoryStatistics memory;
    private @Nullable List<String> passWords;
    private @Nullable List<String> waitWords;
    private @Nullable List<Candidate> candidates;

    private volatile boolean holdsPointer;
    private volatile boolean holdsKeys;

    OverlayPanel(GpuDevice device, NuklearPass pass) {
        this.device = device;
        context = pass.context();
        widgets = new Widgets(pass);
        renderDoc = RenderDocCapture.unavailableReason().isEmpty() ? RenderDocCapture.open() : null;
    }

    boolean holdsPointer() {
        return holdsPointer;
    }

    boolean holdsKeys() {
        return holdsKeys;
    }

    /** Notes that a frame is without the overlay: the times of such frames are not in its history. */
    void hidden() {
        if (lastFrame != 0) {
            lastFrame = 0;
            holdsPointer = false;
            holdsKeys = false;
        }
    }

    /** Notes the time of a frame with the overlay. */
    void frameBegins(@Nullable Completed completed) {
        long now = System.nanoTime();
        if (lastFrame != 0) {
            history.add(
                    now - lastFrame,
                    completed == null ? 0 : completed.statistics().gpuNanos());
        }
        lastFrame = now;
        last = completed;
    }

    /** Describes the GUI; returns the textures that it shows. */
    List<ShownTexture> describe(RenderGraph graph, RdgTexture target) {
        List<ShownTexture> shown = new ArrayList<>();
        filters = false;
        int height = target.description().height();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            NkRect place = NkRect.malloc(stack).set(MARGIN, MARGIN, WIDTH, Math.max(1, height - 2 * MARGIN));
            int flags = Nuklear.NK_WINDOW_BORDER
                    | Nuklear.NK_WINDOW_MOVABLE
                    | Nuklear.NK_WINDOW_SCALABLE
                    | Nuklear.NK_WINDOW_MINIMIZABLE
                    | Nuklear.NK_WINDOW_TITLE;
            if (Nuklear.nk_begin(context, TITLE, place, flags)) {
                describeTimes();
                Completed of = last;
                if (of != null) {
                    refresh();
                    describePasses(of);
                    describeMemory(of);
                    describeWaits(of);
                    describeTextures(of.plan(), graph, target, shown);
                }
            }
            Nuklear.nk_end(context);
        }
        holdsPointer = Nuklear.nk_item_is_any_active(context);
        // Other threads look at it meanwhile.
        holdsKeys = filters || editsNumber();
        return shown;
    }

    private boolean editsNumber() {
        NkWindow window = Nuklear.nk_window_find(context, TITLE);
        return window != null
                && window.property().active() != 0
                && window.property().state() == PROPERTY_EDIT;
    }

    /** Forgets what is old; parts that are open find it anew. */
    private void refresh() {
        if (refreshed != 0 && lastFrame - refreshed < REFRESH_NANOS) {
            return;
        }
        refreshed = lastFrame;
        memory = null;
        candidates = null;
        passWords = null;
        waitWords = null;
    }

    private void describeTimes() {
        int count = history.count();
        double mean = history.mean();
        widgets.row(Widgets.ROW, 1);
        widgets.label(
                String.format(
                        Locale.ROOT,
                        "frame %s, %.1f a second",
                        Widgets.millis(Math.round(mean)),
                        mean == 0 ? 0 : NANOS / mean),
                Widgets.WHITE);
        FrameStatistics statistics = last == null ? null : last.statistics();
        if (statistics != null) {
            widgets.label(
                    "GPU " + Widgets.millis(statistics.gpuNanos()) + ", record and submit "
                            + Widgets.millis(statistics.recordNanos() + statistics.submitNanos()),
                    Widgets.DIM);
        }
        long longest = history.longest();
        List<Bar> bars = new ArrayList<>(2 * count);
        for (int age = 0; age < count; age++) {
            int column = FrameHistory.FRAMES - count + age;
            float from = (float) column / FrameHistory.FRAMES;
            float to = (float) (column + 1) / FrameHistory.FRAMES;
            bars.add(new Bar(from, to, (float) history.frame(age) / longest, 0x606060));
            bars.add(new Bar(from, to, (float) history.device(age) / longest, Widgets.GRAPHICS));
        }
        widgets.row(GRAPH_HEIGHT, 1);
        widgets.bars(bars, Widgets.millis(longest));
        if (renderDoc != null) {
            widgets.row(Widgets.ROW + 6, 1);
            if (widgets.button("capture the next frame with RenderDoc")) {
                renderDoc.captureNextFrame();
            }
        }
    }

    private void describePasses(Completed of) {
        FrameStatistics statistics = of.statistics();
        if (!widgets.part(
                "passes", "passes: " + statistics.passes() + " run, " + statistics.culledPasses() + " culled", true)) {
            return;
        }
        List<PassTime> times = statistics.passTimes();
        Map<String, List<PassTime>> queues = new LinkedHashMap<>();
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        long longest = 1;
        for (PassTime time : times) {
            queues.computeIfAbsent(time.queue(), name -> new ArrayList<>()).add(time);
            start = Math.min(start, time.startNanos());
            end = Math.max(end, time.startNanos() + time.nanos());
            longest = Math.max(longest, time.nanos());
        }
        for (Map.Entry<String, List<PassTime>> queue : queues.entrySet()) {
            describeQueue(queue.getKey(), queue.getValue(), start, Math.max(1, end - start));
        }
        widgets.row(LIST_HEIGHT, 1);
        if (Nuklear.nk_group_begin(context, "passes", Nuklear.NK_WINDOW_BORDER)) {
            widgets.columns(Widgets.ROW, 0, BAR_WIDTH);
            for (PassTime time : times) {
                boolean chosen = pass.equals(time.pass());
                if (widgets.choice(time.pass(), chosen) != chosen) {
                    pass = chosen ? "" : time.pass();
                    passWords = null;
                }
                widgets.bars(
                        List.of(new Bar(0, (float) time.nanos() / longest, 1, color(time.queue()))),
                        Widgets.millis(time.nanos()));
            }
            if (times.isEmpty()) {
                widgets.row(Widgets.ROW, 1);
                widgets.label("the device gives no times", Widgets.DIM);
            }
            Nuklear.nk_group_end(context);
        }
        List<String> lines = passWords;
        if (lines == null) {
            lines = pass.isEmpty() ? List.of() : PlanWords.ofPass(of.plan(), pass);
            passWords = lines;
        }
        for (String line : lines) {
            widgets.paragraph(line, WIDTH - 60f, Widgets.DIM);
        }
        widgets.endPart();
    }

    private void describeQueue(String name, List<PassTime> times, long start, long nanos) {
        List<Bar> bars = new ArrayList<>(times.size());
        for (int i = 0; i < times.size(); i++) {
            PassTime time = times.get(i);
            float from = (float) (time.startNanos() - start) / nanos;
            // Neighbours differ in height, so that both are seen.
            bars.add(new Bar(from, from + (float) time.nanos() / nanos, i % 2 == 0 ? 1 : 0.8f, color(name)));
        }
        widgets.row(Widgets.ROW, 1);
        Bar pointed = widgets.bars(bars, name);
        if (pointed != null) {
            PassTime time = times.get(bars.indexOf(pointed));
            widgets.tooltip(time.pass() + ": " + Widgets.millis(time.nanos()));
        }
    }

    private static int color(String queue) {
        return queue.startsWith("graphics") ? Widgets.GRAPHICS : Widgets.OTHER;
    }

    private void describeMemory(Completed of) {
        if (!widgets.part("memory", "memory", false)) {
            return;
        }
        MemoryStatistics statistics = memory;
        if (statistics == null) {
            statistics = device.memoryStatistics();
            memory = statistics;
        }
        widgets.row(Widgets.ROW, 1);
        widgets.label(
                "transients " + Widgets.mebibytes(of.plan().heapBytes()) + ", without sharing "
                        + Widgets.mebibytes(of.plan().transientBytesWithoutAliasing()),
                Widgets.WHITE);
        for (MemoryStatistics.Heap heap : statistics.heaps()) {
            float share = (float) heap.used() / Math.max(1, heap.budget());
            widgets.bars(
                    List.of(new Bar(0, Math.min(1, share), 1, Widgets.GRAPHICS)),
                    "heap " + heap.index() + (heap.deviceLocal() ? ", device: " : ": ") + Widgets.mebibytes(heap.used())
                            + " of " + Widgets.mebibytes(heap.budget()));
        }
        statistics
                .byKind()
                .forEach((kind, bytes) -> widgets.label(
                        kind.name().toLowerCase(Locale.ROOT) + " " + Widgets.mebibytes(bytes), Widgets.DIM));
        widgets.endPart();
    }

    private void describeWaits(Completed of) {
        FrameStatistics statistics = of.statistics();
        if (!widgets.part("waits", "waits: " + statistics.waits() + ", barriers: " + statistics.barriers(), false)) {
            return;
        }
        List<String> lines = waitWords;
        if (lines == null) {
            lines = PlanWords.ofWaits(of.plan());
            waitWords = lines;
        }
        for (String line : lines) {
            widgets.paragraph(line, WIDTH - 60f, Widgets.DIM);
        }
        widgets.endPart();
    }

    private void describeTextures(FramePlan plan, RenderGraph graph, RdgTexture target, List<ShownTexture> shown) {
        if (!widgets.part("textures", "textures", false)) {
            return;
        }
        List<Candidate> offered = candidates;
        if (offered == null) {
            offered = TextureChoice.of(plan);
            candidates = offered;
        }
        widgets.columns(Widgets.ROW + 6, FILTER_WIDTH, 0);
        widgets.label("filter", Widgets.DIM);
        int state = Nuklear.nk_edit_string_zero_terminated(
                context, Nuklear.NK_EDIT_FIELD, filter, FILTER_BYTES, characters);
        filters = (state & Nuklear.NK_EDIT_ACTIVE) != 0;
        String wanted = MemoryUtil.memUTF8(MemoryUtil.memAddress(filter));
        Candidate chosen = null;
        widgets.row(LIST_HEIGHT / 2f, 1);
        if (Nuklear.nk_group_begin(context, "textures", Nuklear.NK_WINDOW_BORDER)) {
            widgets.row(Widgets.ROW, 1);
            for (Candidate candidate : offered) {
                boolean was = candidate.is(texture, textureNumber);
                if (candidate.name().contains(wanted) && widgets.choice(candidate.words(), was) != was) {
                    texture = was ? "" : candidate.name();
                    textureNumber = candidate.number();
                    mip = 0;
                }
                chosen = candidate.is(texture, textureNumber) ? candidate : chosen;
            }
            Nuklear.nk_group_end(context);
        }
        if (chosen != null) {
            describeTexture(graph, target, chosen, shown);
        }
        widgets.endPart();
    }

    private void describeTexture(RenderGraph graph, RdgTexture target, Candidate chosen, List<ShownTexture> shown) {
        widgets.row(Widgets.ROW + 6, 3);
        low = widgets.number("#black", -1000, low, 1000, 0.05f);
        high = widgets.number("#white", -1000, high, 1000, 0.05f);
        mip = Math.min(chosen.mips() - 1, Math.round(widgets.number("#mip", 0, mip, chosen.mips() - 1, 1)));
        RdgTextureView view = TextureChoice.find(graph, chosen, mip, target);
        if (view == null || low == high) {
            return;
        }
        float width = WIDTH - 60f;
        float height = width * chosen.shape().height(mip) / chosen.shape().width(mip);
        widgets.row(Math.min(height, 2 * width), 1);
        shown.add(new ShownTexture(view, low, high));
        widgets.picture(shown.size());
    }

    @Override
    public void close() {
        MemoryUtil.memFree(filter);
        characters.free();
    }
}
