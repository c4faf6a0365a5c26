package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.rdg.declare.Aspect;
import io.frameloom.rdg.tools.file.FileGraph.Flag;
import io.frameloom.rdg.tools.file.FileGraph.Kind;
import io.frameloom.rdg.tools.file.FileGraph.Pass;
import io.frameloom.rdg.tools.file.JsonCursor.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Reads the passes of a graph with what they use. One thread. */
final class PassReader {
    private static final int MAX_USES = 4096;
    private static final long MAX_EDGE = 4096;
    private static final long MAX_BYTES = 1L << 40;
    private static final Keys PASS = Keys.needing(
            2,
            "a pass",
            "id",
            "kind",
            "queue",
            "flags",
            "uses",
            "rt",
            "asyncCompute",
            "condition",
            "cost",
            "stages",
            "touches",
            "versions");
    private static final Keys USE = Keys.needing(2, "a use", "r", "a", "sub", "discard", "uavGroup", "alone");
    private static final Keys PART = Keys.of("a part", "mip", "layer", "plane", "bytes");
    private static final Keys TEXTURE_PART = Keys.of("a part of a texture", "mip", "layer", "plane");
    private static final Keys TARGET_PART = Keys.of("a part of a render target", "mip", "layer", "slice", "plane");
    private static final Keys TARGETS = Keys.of("render targets", "color", "depth", "stencil", "area");
    private static final Keys TARGET =
            Keys.needing(1, "a render target", "r", "load", "access", "sub", "clear", "resolve");
    private static final Keys RESOLVE = Keys.of("a resolve", "r", "mode", "sub");
    private static final int CHANNELS = 4;
    private static final int AREA = 4;
    private static final long MAX_TEXELS = 1L << 16;
    private static final int MAX_STENCIL = 255;
    private static final int MAX_CONDITION = 1 << 20;
    private static final int MAX_STAGES = PipelineStage.values().length;

    private final JsonCursor json;
    private final VersionReader versions;

    PassReader(JsonCursor json) {
        this.json = json;
        versions = new VersionReader(json);
    }

    /** Reads the pass at the cursor. */
    Pass read() {
        Pass pass = new Pass();
        pass.line = json.line();
        json.object(PASS, name -> {
            switch (name) {
                case "id" -> pass.id = json.name("a pass");
                case "queue" -> pass.queue = json.reference("a queue");
                case "kind" -> pass.kind = json.constant(Kind.class);
                case "flags" -> json.array(16, () -> pass.flags.add(json.constant(Flag.class)));
                case "uses" -> json.array(MAX_USES, () -> pass.uses.add(use()));
                case "rt" -> pass.targets = targets(pass);
                case "asyncCompute" -> pass.async = json.bool();
                case "condition" -> pass.condition = (int) json.integer(0, MAX_CONDITION);
                case "cost" -> requireCost();
                case "stages" -> stages(pass);
                case "touches" -> json.array(MAX_USES, () -> pass.touches.add(json.reference("a resource")));
                default -> pass.versions = versions.read();
            }
        });
        if (pass.condition != null && !pass.isConditional()) {
            throw json.fail("pass '" + pass.id + "' has a condition; add the flag " + Flag.CONDITIONAL.inFiles());
        }
        return pass;
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

    private void stages(Pass pass) {
        if (json.isString()) {
            pass.stages = stage();
        } else {
            json.array(MAX_STAGES, () -> pass.stages |= stage());
        }
    }

    /** The accesses say the stages; those of the pass are for graphs whose orders are all given. */
    private int stage() {
        return StageNames.known(json).bit();
    }

    private FileGraph.Use use() {
        FileGraph.Use use = new FileGraph.Use();
        json.object(USE, name -> {
            switch (name) {
                case "r" -> resource(use);
                case "a" -> use.access = AccessNames.known(json);
                case "sub" ->
                    json.object(PART, axis -> {
                        if (axis.equals("bytes")) {
                            use.bytes = interval(MAX_BYTES);
                        } else {
                            part(use, axis);
                        }
                    });
                case "discard" -> use.discard = json.bool();
                case "uavGroup" ->
                    use.group =
                            json.isNumber() ? Long.toString(json.integer(0, Integer.MAX_VALUE)) : json.name("a group");
                default -> use.alone = json.bool();
            }
        });
        return use;
    }

    private void resource(FileGraph.Part part) {
        part.resource = json.name("a resource");
        part.line = json.line();
    }

    private void part(FileGraph.Part part, String axis) {
        switch (axis) {
            case "mip" -> part.mip = interval(MAX_EDGE);
            case "layer" -> part.layer = interval(MAX_EDGE);
            default -> part.plane = interval(MAX_EDGE);
        }
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

    private List<FileGraph.Target> targets(Pass pass) {
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

    private FileGraph.Target target(Aspect aspect) {
        FileGraph.Target target = new FileGraph.Target(aspect);
        json.object(TARGET, name -> {
            switch (name) {
                case "r" -> resource(target);
                case "load" -> target.load = load();
                case "access" -> target.readOnly = readsOnly();
                case "resolve" -> target.resolve = resolve(aspect);
                case "clear" -> clear(target);
                default ->
                    ofTexture(target, TARGET_PART, axis -> {
                        if (axis.equals("slice")) {
                            target.slice = interval(MAX_TEXELS);
                        } else {
                            part(target, axis);
                        }
                    });
            }
        });
        return target;
    }

    private FileGraph.Resolve resolve(Aspect aspect) {
        FileGraph.Resolve resolve = new FileGraph.Resolve();
        json.object(RESOLVE, name -> {
            switch (name) {
                case "r" -> resource(resolve);
                case "mode" -> resolve.mode = json.constant(ResolveMode.class);
                default -> ofTexture(resolve, TEXTURE_PART, axis -> part(resolve, axis));
            }
        });
        if (resolve.resource.isEmpty() || (resolve.mode == null) != (aspect == Aspect.COLOR)) {
            throw json.fail(
                    aspect == Aspect.COLOR
                            ? "a resolve of colours needs \"r\" and no \"mode\""
                            : "a resolve of depth or stencil needs \"r\" and \"mode\"");
        }
        return resolve;
    }

    /** A bare number is a layer. */
    private void ofTexture(FileGraph.Part part, Keys keys, Consumer<String> axis) {
        if (json.isNumber()) {
            part.layer = interval(MAX_EDGE);
        } else {
            json.object(keys, axis);
        }
    }

    private void clear(FileGraph.Target target) {
        switch (target.aspect) {
            case DEPTH -> target.clearDepth = (float) json.decimal();
            case STENCIL -> target.clearStencil = (int) json.integer(0, MAX_STENCIL);
            case COLOR -> target.clear = clearColor();
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
