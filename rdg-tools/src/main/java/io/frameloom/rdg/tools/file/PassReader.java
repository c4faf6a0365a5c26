package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.rdg.declare.DeclaredGraph.Aspect;
import io.frameloom.rdg.tools.file.FileGraph.Flag;
import io.frameloom.rdg.tools.file.FileGraph.Kind;
import io.frameloom.rdg.tools.file.FileGraph.Pass;
import io.frameloom.rdg.tools.file.JsonCursor.Keys;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the passes of a graph with what they use. One thread. */
final class PassReader {
    private static final int MAX_USES = 4096;
    private static final long MAX_EDGE = 4096;
    private static final long MAX_BYTES = 1L << 40;
    private static final Keys PASS = Keys.of(
            "a pass",
            "id",
            "queue",
            "kind",
            "flags",
            "uses",
            "rt",
            "asyncCompute",
            "condition",
            "cost",
            "stages",
            "touches",
            "versions");
    private static final Keys USE = Keys.of("a use", "r", "a", "sub", "discard", "uavGroup", "alone");
    private static final Keys PART = Keys.of("a part", "mip", "layer", "plane", "bytes");
    private static final Keys TEXTURE_PART = Keys.of("a part of a texture", "mip", "layer", "plane");
    private static final Keys TARGET_PART = Keys.of("a part of a render target", "mip", "layer", "slice", "plane");
    private static final Keys TARGETS = Keys.of("render targets", "color", "depth", "stencil", "area");
    private static final Keys TARGET = Keys.of("a render target", "r", "load", "access", "sub", "clear", "resolve");
    private static final Keys RESOLVE = Keys.of("a resolve", "r", "mode", "sub");
    private static final int CHANNELS = 4;
    private static final int AREA = 4;
    private static final long MAX_TEXELS = 1L << 16;
    private static final int MAX_STENCIL = 255;
    private static final int MAX_CONDITION = 1 << 20;
    private static final Map<String, PipelineStage> STAGES = Map.of(
            "COLOR_OUT", PipelineStage.COLOR_OUTPUT,
            "DEPTH_TESTS", PipelineStage.DEPTH_TESTS,
            "VERT", PipelineStage.VERTEX_SHADER,
            "FRAG", PipelineStage.FRAGMENT_SHADER,
            "COMP", PipelineStage.COMPUTE_SHADER,
            "VERTEX_INPUT", PipelineStage.VERTEX_INPUT,
            "DRAW_INDIRECT", PipelineStage.DRAW_INDIRECT,
            "COPY", PipelineStage.COPY,
            "HOST", PipelineStage.HOST);

    private final JsonCursor json;
    private final VersionReader versions;

    PassReader(JsonCursor json) {
        this.json = json;
        versions = new VersionReader(json);
    }

    private static final class PassDraft {
        String id = "";

        FileGraph.@Nullable Name queue;

        @Nullable
        Kind kind;

        final EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
        final List<FileGraph.Use> uses = new ArrayList<>(4);

        @Nullable
        List<FileGraph.Target> targets;

        @Nullable
        List<Integer> area;

        @Nullable
        Integer condition;

        boolean async;
        int stages;
        final List<FileGraph.Name> touches = new ArrayList<>(0);
        Map<FileGraph.Name, FileGraph.Version> versions = Map.of();
    }

    /** Reads the pass at the cursor. */
    Pass read() {
        PassDraft draft = new PassDraft();
        int line = json.line();
        json.object(PASS, name -> {
            switch (name) {
                case "id" -> draft.id = json.name("a pass");
                case "queue" -> draft.queue = json.reference("a queue");
                case "kind" -> draft.kind = json.constant(Kind.class);
                case "flags" -> json.array(16, () -> draft.flags.add(json.constant(Flag.class)));
                case "uses" -> json.array(MAX_USES, () -> draft.uses.add(use()));
                case "rt" -> draft.targets = targets(draft);
                case "asyncCompute" -> draft.async = json.bool();
                case "condition" -> draft.condition = (int) json.integer(0, MAX_CONDITION);
                case "cost" -> requireCost();
                case "stages" -> stages(draft);
                case "touches" -> json.array(MAX_USES, () -> draft.touches.add(json.reference("a resource")));
                default -> draft.versions = versions.read();
            }
        });
        if (draft.id.isEmpty() || draft.kind == null) {
            throw json.fail("a pass needs \"id\" and \"kind\"");
        }
        if (draft.condition != null && !draft.flags.contains(Flag.CONDITIONAL)) {
            throw json.fail("pass '" + draft.id + "' has a condition; add the flag " + Flag.CONDITIONAL.inFiles());
        }
        return new Pass(
                draft.id,
                draft.queue,
                draft.kind,
                draft.flags,
                List.copyOf(draft.uses),
                draft.targets == null ? null : List.copyOf(draft.targets),
                draft.area,
                draft.condition,
                draft.async,
                draft.stages,
                List.copyOf(draft.touches),
                draft.versions,
                line);
    }

    /** What recording a pass costs decides nothing: a number for people, or S for a pass that is recorded alone. */
    private void requireCost() {
        if (json.isString()) {
            if (!json.string().equals("S")) {
                throw json.fail("a cost is a number, or S");
            }
        } else if (json.decimal() < 0) {
            throw json.fail("a cost is at least 0");
        }
    }

    private void stages(PassDraft draft) {
        if (json.isString()) {
            draft.stages = stage();
        } else {
            json.array(STAGES.size(), () -> draft.stages |= stage());
        }
    }

    /** The accesses say the stages; those of the pass are for graphs whose orders are all given. */
    private int stage() {
        String text = json.string();
        @Nullable PipelineStage stage = STAGES.get(text);
        if (stage == null) {
            throw json.unknown(
                    "stage",
                    text,
                    String.join(", ", STAGES.keySet().stream().sorted().toList()));
        }
        return stage.bit();
    }

    private static final class UseDraft {
        String resource = "";
        int line;
        String access = "";
        FileGraph.@Nullable Interval mip;
        FileGraph.@Nullable Interval layer;
        FileGraph.@Nullable Interval plane;
        FileGraph.@Nullable Interval bytes;
        boolean discard;
        boolean alone;

        @Nullable
        String group;
    }

    private FileGraph.Use use() {
        UseDraft draft = new UseDraft();
        json.object(USE, name -> {
            switch (name) {
                case "r" -> {
                    draft.resource = json.name("a resource");
                    draft.line = json.line();
                }
                case "a" -> draft.access = AccessNames.known(json);
                case "sub" ->
                    json.object(PART, axis -> {
                        switch (axis) {
                            case "mip" -> draft.mip = interval(MAX_EDGE);
                            case "layer" -> draft.layer = interval(MAX_EDGE);
                            case "plane" -> draft.plane = interval(MAX_EDGE);
                            default -> draft.bytes = interval(MAX_BYTES);
                        }
                    });
                case "discard" -> draft.discard = json.bool();
                case "uavGroup" ->
                    draft.group =
                            json.isNumber() ? Long.toString(json.integer(0, Integer.MAX_VALUE)) : json.name("a group");
                default -> draft.alone = json.bool();
            }
        });
        if (draft.resource.isEmpty() || draft.access.isEmpty()) {
            throw json.fail("a use needs \"r\" and \"a\"");
        }
        return new FileGraph.Use(
                draft.resource,
                draft.access,
                draft.mip,
                draft.layer,
                draft.plane,
                draft.bytes,
                draft.discard,
                draft.group,
                draft.alone,
                draft.line);
    }

    private FileGraph.Interval interval(long max) {
        if (!json.isArray()) {
            long at = json.integer(0, max);
            return new FileGraph.Interval(at, at + 1);
        }
        List<Long> ends = new ArrayList<>(2);
        json.array(2, () -> ends.add(json.integer(0, max)));
        if (ends.size() != 2 || ends.get(0) >= ends.get(1)) {
            throw json.fail("an interval is a number, or [from, behind the last] with from below that");
        }
        return new FileGraph.Interval(ends.get(0), ends.get(1));
    }

    private List<FileGraph.Target> targets(PassDraft pass) {
        List<FileGraph.Target> targets = new ArrayList<>(4);
        json.object(TARGETS, name -> {
            switch (name) {
                case "color" -> json.array(64, () -> targets.add(target(Aspect.COLOR)));
                case "depth" -> targets.add(target(Aspect.DEPTH));
                case "area" -> pass.area = area();
                default -> targets.add(target(Aspect.STENCIL));
            }
        });
        return targets;
    }

    private List<Integer> area() {
        List<Integer> area = new ArrayList<>(AREA);
        json.array(AREA, () -> area.add((int) json.integer(area.size() < 2 ? 0 : 1, MAX_TEXELS)));
        if (area.size() != AREA) {
            throw json.fail("a render area is [left, top, width, height]");
        }
        return area;
    }

    private static final class TargetDraft {
        String resource = "";
        int line;
        LoadOp load = LoadOp.LOAD;
        boolean readOnly;
        FileGraph.@Nullable Interval mip;
        FileGraph.@Nullable Interval layer;
        FileGraph.@Nullable Interval plane;
        FileGraph.@Nullable Interval slice;
        FileGraph.@Nullable Resolve resolve;

        @Nullable
        ResolveMode mode;

        ClearColor clear = ClearColor.BLACK_TRANSPARENT;
        float clearDepth;
        int clearStencil;
    }

    private FileGraph.Target target(Aspect aspect) {
        TargetDraft draft = new TargetDraft();
        json.object(TARGET, name -> {
            switch (name) {
                case "r" -> resource(draft);
                case "load" -> draft.load = load();
                case "access" -> draft.readOnly = readsOnly();
                case "resolve" -> draft.resolve = resolve(aspect);
                case "clear" -> clear(draft, aspect);
                default -> part(draft, TARGET_PART);
            }
        });
        if (draft.resource.isEmpty()) {
            throw json.fail("a render target needs \"r\"");
        }
        return new FileGraph.Target(
                draft.resource,
                draft.load,
                aspect,
                draft.readOnly,
                draft.mip,
                draft.layer,
                draft.plane,
                draft.slice,
                draft.clear,
                draft.clearDepth,
                draft.clearStencil,
                draft.resolve,
                draft.line);
    }

    private void resource(TargetDraft draft) {
        draft.resource = json.name("a resource");
        draft.line = json.line();
    }

    private FileGraph.Resolve resolve(Aspect aspect) {
        TargetDraft draft = new TargetDraft();
        json.object(RESOLVE, name -> {
            switch (name) {
                case "r" -> resource(draft);
                case "mode" -> draft.mode = json.constant(ResolveMode.class);
                default -> part(draft, TEXTURE_PART);
            }
        });
        if (draft.resource.isEmpty() || (draft.mode == null) != (aspect == Aspect.COLOR)) {
            throw json.fail(
                    aspect == Aspect.COLOR
                            ? "a resolve of colours needs \"r\" and no \"mode\""
                            : "a resolve of depth or stencil needs \"r\" and \"mode\"");
        }
        return new FileGraph.Resolve(draft.resource, draft.mode, draft.mip, draft.layer, draft.plane, draft.line);
    }

    private void clear(TargetDraft draft, Aspect aspect) {
        switch (aspect) {
            case DEPTH -> draft.clearDepth = (float) json.decimal();
            case STENCIL -> draft.clearStencil = (int) json.integer(0, MAX_STENCIL);
            case COLOR -> draft.clear = clearColor();
        }
    }

    private ClearColor clearColor() {
        List<Double> channels = new ArrayList<>(CHANNELS);
        json.array(CHANNELS, () -> channels.add(json.decimal()));
        if (channels.size() != CHANNELS) {
            throw json.fail("a clear colour is [red, green, blue, alpha]");
        }
        return new ClearColor(channels.get(0), channels.get(1), channels.get(2), channels.get(3));
    }

    /** A bare number is a layer. */
    private void part(TargetDraft draft, Keys keys) {
        if (json.isNumber()) {
            draft.layer = interval(MAX_EDGE);
            return;
        }
        json.object(keys, axis -> {
            switch (axis) {
                case "mip" -> draft.mip = interval(MAX_EDGE);
                case "slice" -> draft.slice = interval(MAX_TEXELS);
                case "plane" -> draft.plane = interval(MAX_EDGE);
                default -> draft.layer = interval(MAX_EDGE);
            }
        });
    }

    private LoadOp load() {
        String text = json.string();
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "load" -> LoadOp.LOAD;
            case "clear" -> LoadOp.CLEAR;
            case "dontcare" -> LoadOp.DONT_CARE;
            default -> throw json.unknown("value", text, "load, clear, dontcare");
        };
    }

    private boolean readsOnly() {
        String text = json.string();
        return switch (text) {
            case "r" -> true;
            case "w", "rw" -> false;
            default -> throw json.unknown("value", text, "r, w");
        };
    }
}
