package io.frameloom.rdg;

import com.fasterxml.jackson.databind.JsonNode;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A case in the form {@code rdg-case/1} as a model that a device can execute: textures and buffers are small, what a raster
 * pass writes are its render targets, and what nobody has written before it is read comes with contents.
 *
 * <p>Of a case whose order is fixed, which has dependencies and no resources, each dependency becomes a buffer that the one
 * pass writes and the other reads, and each pass writes a buffer of its own that is kept.
 */
final class CaseModel {
    private final JsonNode root;
    private final Map<String, Integer> queues = new HashMap<>();
    private final Map<String, Integer> indices = new LinkedHashMap<>();
    private final Map<String, Integer> groups = new HashMap<>();
    private final List<GraphModel.Res> resources = new ArrayList<>();
    private final List<GraphModel.Pass> passes = new ArrayList<>();

    private CaseModel(JsonNode root) {
        this.root = root;
        root.get("queues").forEach(queue -> queues.put(queue.get("id").asText(), queues.size()));
    }

    static GraphModel of(JsonNode root) {
        CaseModel model = new CaseModel(root);
        if (isFixed(root)) {
            model.fixed();
        } else {
            root.get("resources").forEach(model::resource);
            root.get("passes").forEach(model::pass);
        }
        return new GraphModel(List.copyOf(model.resources), List.copyOf(model.passes));
    }

    private static boolean isFixed(JsonNode root) {
        return root.get("mode").path("order").asText().equals("fixed");
    }

    static QueueCounts queues(JsonNode root) {
        int[] counts = new int[QueueKind.values().length];
        for (JsonNode queue : root.get("queues")) {
            counts[
                    QueueKind.valueOf(queue.get("caps").get(0).asText().toUpperCase(Locale.ROOT))
                            .ordinal()]++;
        }
        return new QueueCounts(
                counts[QueueKind.GRAPHICS.ordinal()],
                counts[QueueKind.COMPUTE.ordinal()],
                counts[QueueKind.COPY.ordinal()]);
    }

    /** Returns what the mode of a case asks for. */
    static RdgOptions options(JsonNode root) {
        JsonNode mode = root.get("mode");
        return RdgOptions.defaults()
                .withOrder(mode.path("order").asText().equals("unordered") ? PassOrder.UNORDERED : PassOrder.DECLARED)
                .withOverlapStorageWrites(mode.path("overlapUavs").asBoolean(true))
                .withCullPasses(!mode.path("cull").asText("data").equals("off"))
                .withMergeRenderPasses(mode.path("mergeRenderPasses").asBoolean(true))
                .withAliasing(mode.path("aliasing").asBoolean(true))
                .withAsync(AsyncCompute.values()[mode.path("asyncPolicy").asInt(1)])
                .withPassLimits(
                        mode.path("passMin").asInt(1), mode.path("passMax").asInt(32))
                .withPolicy(PlanPolicy.defaults()
                        .withHoistBarriers(mode.path("hoistBarriers").asBoolean(false))
                        .withSplitBarriers(mode.path("splitBarriers").asBoolean(false))
                        .withSchedule(PassSchedule.parse(mode.path("schedule").asText("program")))
                        .withWaitStageScope(
                                mode.path("waitStageScope").asText().equals("exact")
                                        ? WaitStageScope.EXACT
                                        : WaitStageScope.ALL));
    }

    private void resource(JsonNode node) {
        String id = node.get("id").asText();
        boolean texture = node.get("kind").asText().equals("texture");
        boolean depth = false;
        int writers = 1;
        boolean whole = true;
        for (JsonNode pass : root.get("passes")) {
            for (JsonNode use : pass.get("uses")) {
                if (use.get("r").asText().equals(id)) {
                    depth |= use.get("a").asText().startsWith("depth");
                    writers += use.has("uavGroup") ? 1 : 0;
                    whole &= !use.has("sub");
                }
            }
        }
        // Each writer of an overlap group has a unit of its own.
        int units = whole ? writers : 1;
        String life = node.path("lifetime").asText("transient");
        boolean needed = isNeededBefore(id);
        boolean external = life.equals("external") || (life.equals("history") && needed);
        Lifetime lifetime =
                external ? Lifetime.EXTERNAL : life.equals("transient") ? Lifetime.TRANSIENT : Lifetime.EXTRACTED;
        TextureLayout given =
                TextureLayout.valueOf(node.path("initial").path("layout").asText("UNDEFINED"));
        TextureLayout initial = given == TextureLayout.PRESENT ? TextureLayout.UNDEFINED : given;
        indices.put(id, resources.size());
        resources.add(new GraphModel.Res(
                id,
                texture,
                depth,
                texture ? node.path("mips").asInt(1) : units,
                texture ? Math.max(units, node.path("layers").asInt(1)) : 1,
                node.path("planes").asInt(1),
                lifetime,
                !external || !texture
                        ? TextureLayout.UNDEFINED
                        : needed && initial == TextureLayout.UNDEFINED ? TextureLayout.SHADER_RO : initial,
                lifetime == Lifetime.EXTRACTED && texture ? Access.SAMPLED_FRAGMENT : null,
                MemoryUsage.DEVICE,
                GraphModel.Role.PLAIN));
    }

    /** Whether a pass reads a resource before one has written it. */
    private boolean isNeededBefore(String id) {
        for (JsonNode pass : root.get("passes")) {
            boolean written = false;
            for (JsonNode use : pass.get("uses")) {
                if (use.get("r").asText().equals(id)) {
                    if (!access(use, pass.get("kind").asText()).writes()) {
                        return true;
                    }
                    written = true;
                }
            }
            if (written) {
                return false;
            }
        }
        return false;
    }

    private void pass(JsonNode node) {
        String kind = node.get("kind").asText();
        Set<PassFlag> flags = EnumSet.noneOf(PassFlag.class);
        for (JsonNode flag : node.path("flags")) {
            flags.add(flag(flag.asText()));
        }
        if (kind.equals("present")) {
            flags.add(PassFlag.NEVER_CULL);
        }
        List<GraphModel.Use> uses = new ArrayList<>();
        boolean attaches = kind.equals("raster") && !flags.contains(PassFlag.SKIP_RENDER_PASS);
        for (JsonNode use : node.get("uses")) {
            uses.addAll(uses(node, use, attaches));
        }
        if (kind.equals("raster") && uses.stream().allMatch(use -> use.attachment() == null)) {
            flags.add(PassFlag.SKIP_RENDER_PASS);
        }
        if (kind.equals("compute")
                && flags.contains(PassFlag.NEVER_CULL)
                && !flags.contains(PassFlag.UNTRACKED_ACCESS)
                && uses.stream().noneMatch(use -> use.access().writes())) {
            // What the pass has read is to be seen.
            resources.add(kept("seen by " + node.get("id").asText()));
            uses.add(whole(resources.size() - 1, true));
        }
        int queue = Objects.requireNonNull(queues.get(node.get("queue").asText()));
        boolean off = root.get("mode").path("asyncPolicy").asInt(1) == 0;
        passes.add(new GraphModel.Pass(
                node.get("id").asText(),
                kind.equals("present") ? PassKind.COPY : PassKind.valueOf(kind.toUpperCase(Locale.ROOT)),
                flags,
                queue == 0 || off ? -1 : queue,
                List.of(),
                null,
                false,
                List.copyOf(uses)));
    }

    private static PassFlag flag(String name) {
        return switch (name) {
            case "neverCull" -> PassFlag.NEVER_CULL;
            case "readback" -> PassFlag.READBACK;
            case "skipRenderPass" -> PassFlag.SKIP_RENDER_PASS;
            case "neverParallel" -> PassFlag.NEVER_PARALLEL;
            case "neverMerge" -> PassFlag.NEVER_MERGE;
            case "untracked" -> PassFlag.UNTRACKED_ACCESS;
            default -> throw new IllegalArgumentException("flag " + name);
        };
    }

    /** Returns a use of the file: one of each plane where a target has two. */
    private List<GraphModel.Use> uses(JsonNode pass, JsonNode node, boolean attaches) {
        int resource = Objects.requireNonNull(indices.get(node.get("r").asText()));
        GraphModel.Res res = resources.get(resource);
        Access access = access(node, pass.get("kind").asText());
        int[] mip = interval(node.path("sub").path("mip"), res.mips());
        int[] layer = interval(node.path("sub").path("layer"), res.layers());
        int[] plane = interval(node.path("sub").path("plane"), res.planes());
        boolean color = access == Access.COLOR_WRITE || access == Access.COLOR_READ_WRITE;
        boolean sampledToo =
                access == Access.DEPTH_READ && isSampled(pass, node.get("r").asText());
        boolean target =
                color || access.layout() == TextureLayout.DEPTH || (access == Access.DEPTH_READ && !sampledToo);
        List<GraphModel.Use> uses = new ArrayList<>();
        for (int p = plane[0]; target && res.planes() == 2 && p < plane[1]; p++) {
            Access own = p == 0 ? access : stencil(access);
            boolean discard = node.path("discard").asBoolean(false);
            uses.add(new GraphModel.Use(resource, mip[0], 1, layer[0], 1, p, 1, own, discard, null, -1));
        }
        if (!uses.isEmpty()) {
            return uses;
        }
        boolean discard = node.path("discard").asBoolean(false);
        LoadOp load = null;
        if (target && attaches) {
            load = load(pass, node);
            int at = layerOf(pass, node, layer[0]);
            layer = new int[] {at, at + 1};
            mip = new int[] {mip[0], mip[0] + 1};
            discard = load != LoadOp.LOAD;
            access = color
                    ? discard ? Access.COLOR_WRITE : Access.COLOR_READ_WRITE
                    : !access.writes() ? access : discard ? Access.DEPTH_WRITE : Access.DEPTH_READ_WRITE;
        }
        int group = node.has("uavGroup")
                ? groups.computeIfAbsent(node.get("uavGroup").asText(), name -> groups.size())
                : -1;
        return List.of(new GraphModel.Use(
                resource,
                mip[0],
                mip[1] - mip[0],
                layer[0],
                layer[1] - layer[0],
                plane[0],
                plane[1] - plane[0],
                access,
                access.writes() && discard,
                load,
                group));
    }

    /** What a pass tests against and samples has one layout in a plan, and two if each use is taken by itself. */
    private static boolean isSampled(JsonNode pass, String resource) {
        for (JsonNode use : pass.get("uses")) {
            if (use.get("r").asText().equals(resource) && use.get("a").asText().startsWith("sampled")) {
                return true;
            }
        }
        return false;
    }

    private static Access stencil(Access depth) {
        return switch (depth) {
            case DEPTH_WRITE -> Access.STENCIL_WRITE;
            case DEPTH_READ_WRITE -> Access.STENCIL_READ_WRITE;
            default -> Access.STENCIL_READ;
        };
    }

    private static LoadOp load(JsonNode pass, JsonNode use) {
        JsonNode target = target(pass, use);
        if (target == null || !target.has("load")) {
            return use.path("discard").asBoolean(false) ? LoadOp.CLEAR : LoadOp.LOAD;
        }
        return switch (target.get("load").asText()) {
            case "clear" -> LoadOp.CLEAR;
            case "dontcare" -> LoadOp.DONT_CARE;
            default -> LoadOp.LOAD;
        };
    }

    private static int layerOf(JsonNode pass, JsonNode use, int fallback) {
        JsonNode target = target(pass, use);
        return target == null ? fallback : target.path("sub").asInt(fallback);
    }

    private static @Nullable JsonNode target(JsonNode pass, JsonNode use) {
        String id = use.get("r").asText();
        for (JsonNode color : pass.path("rt").path("color")) {
            if (color.get("r").asText().equals(id)) {
                return color;
            }
        }
        JsonNode depth = pass.path("rt").path("depth");
        return depth.path("r").asText().equals(id) ? depth : null;
    }

    private static int[] interval(JsonNode node, int count) {
        if (node.isMissingNode()) {
            return new int[] {0, count};
        }
        return node.isArray()
                ? new int[] {node.get(0).asInt(), node.get(1).asInt()}
                : new int[] {node.asInt(), node.asInt() + 1};
    }

    /** Only an image of a swapchain can be presented; others are copied from in its place. */
    private static Access access(JsonNode use, String kind) {
        Access access = CaseGraph.access(use.get("a").asText(), kind);
        return access == Access.PRESENT ? Access.COPY_SRC : access;
    }

    private void fixed() {
        List<String> names = new ArrayList<>();
        root.get("passes").forEach(pass -> names.add(pass.get("id").asText()));
        List<List<String>> orders = new ArrayList<>();
        root.get("queueOrder").forEach(order -> {
            List<String> chain = new ArrayList<>();
            order.forEach(pass -> chain.add(pass.asText()));
            orders.add(chain);
        });
        List<String> sorted = new ArrayList<>();
        while (sorted.size() < names.size()) {
            String next = names.stream()
                    .filter(name -> !sorted.contains(name) && isReady(name, orders, sorted))
                    .findFirst()
                    .orElseThrow();
            sorted.add(next);
        }
        int dependencies = root.get("explicitDeps").size();
        for (int d = 0; d < dependencies + sorted.size(); d++) {
            resources.add(
                    d >= dependencies
                            ? kept("kept " + sorted.get(d - dependencies))
                            : buffer("passed on " + d, Lifetime.TRANSIENT));
        }
        for (String name : sorted) {
            List<GraphModel.Use> uses = new ArrayList<>();
            for (int d = 0; d < dependencies; d++) {
                JsonNode ends = root.get("explicitDeps").get(d);
                boolean writes = ends.get(0).asText().equals(name);
                if (writes || ends.get(1).asText().equals(name)) {
                    uses.add(whole(d, writes));
                }
            }
            uses.add(whole(dependencies + sorted.indexOf(name), true));
            int queue = queueOf(name);
            passes.add(new GraphModel.Pass(
                    name,
                    PassKind.COMPUTE,
                    EnumSet.noneOf(PassFlag.class),
                    queue == 0 ? -1 : queue,
                    List.of(),
                    null,
                    false,
                    uses));
        }
    }

    private static GraphModel.Res kept(String name) {
        return buffer(name, Lifetime.EXTERNAL);
    }

    private static GraphModel.Res buffer(String name, Lifetime lifetime) {
        return new GraphModel.Res(name, false, false, 1, 1, lifetime, TextureLayout.UNDEFINED, null);
    }

    private static GraphModel.Use whole(int buffer, boolean writes) {
        Access access = writes ? Access.STORAGE_WRITE_COMPUTE : Access.STORAGE_READ_COMPUTE;
        return new GraphModel.Use(buffer, 0, 1, 0, 1, access, writes, null);
    }

    private boolean isReady(String name, List<List<String>> orders, List<String> sorted) {
        for (JsonNode ends : root.get("explicitDeps")) {
            if (ends.get(1).asText().equals(name)
                    && !sorted.contains(ends.get(0).asText())) {
                return false;
            }
        }
        return orders.stream()
                .filter(order -> order.contains(name))
                .allMatch(order -> sorted.containsAll(order.subList(0, order.indexOf(name))));
    }

    private int queueOf(String name) {
        for (JsonNode pass : root.get("passes")) {
            if (pass.get("id").asText().equals(name)) {
                return Objects.requireNonNull(queues.get(pass.get("queue").asText()));
            }
        }
        throw new IllegalArgumentException("pass " + name);
    }
}
