package io.frameloom.samples.gltf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The animation of a model that is played: keyframes by node and by what they move. */
final class ModelAnimation {
    /** What shows the rest pose. */
    static final String NONE = "none";

    static final String TRANSLATION = "translation";
    static final String ROTATION = "rotation";
    static final String SCALE = "scale";
    static final String WEIGHTS = "weights";

    private static final Map<String, Integer> WIDTHS = Map.of(TRANSLATION, 3, ROTATION, 4, SCALE, 3);

    private final Map<Integer, Map<String, Keyframes>> channels = new HashMap<>();
    private float end;

    private ModelAnimation() {}

    /**
     * Reads one of the animations of a model.
     *
     * @param wanted its name or number, {@value #NONE}, or null for the first
     * @param notes receives what is not played unless it was asked for
     */
    static ModelAnimation read(Json root, AccessorReader accessors, @Nullable String wanted, Set<String> notes)
            throws ModelException {
        ModelAnimation result = new ModelAnimation();
        List<Json> all = root.at("animations").elements();
        List<String> names = new ArrayList<>();
        for (Json animation : all) {
            names.add(animation.at("name").text(String.valueOf(names.size())));
        }
        int number = wanted == null ? 0 : names.indexOf(wanted);
        for (int i = 0; number < 0 && i < all.size(); i++) {
            number = String.valueOf(i).equals(wanted) ? i : -1;
        }
        if (NONE.equals(wanted) || (wanted == null && all.isEmpty())) {
            return result;
        }
        String others = "--animation takes " + (names.isEmpty() ? "" : "'" + String.join("', '", names) + "' or ") + "'"
                + NONE + "'";
        if (number < 0) {
            throw new ModelException("has no animation '" + wanted + "'; " + others);
        }
        if (wanted == null && all.size() > 1) {
            notes.add("has " + all.size() + " animations: '" + names.get(0) + "' is played; " + others);
        }
        Json animation = all.get(number);
        for (Json channel : animation.at("channels").elements()) {
            result.add(root, accessors, animation.at("samplers").elements(), channel);
        }
        return result;
    }

    private void add(Json root, AccessorReader accessors, List<Json> samplers, Json channel) throws ModelException {
        Json target = channel.at("target");
        String path = target.at("path").text("");
        Json node = target.at("node");
        // Without a node an extension says what moves, and all extensions that are not read are named.
        if (!node.present()) {
            return;
        }
        int sampler = channel.at("sampler").integer(-1);
        if (sampler < 0 || sampler >= samplers.size()) {
            throw channel.at("sampler").malformed("the animation has " + samplers.size() + " samplers");
        }
        int width = path.equals(WEIGHTS)
                ? MeshReader.targets(root, root.at("nodes").at(node.integer(0)))
                : WIDTHS.getOrDefault(path, 0);
        if (width == 0) {
            throw target.malformed(
                    path.equals(WEIGHTS)
                            ? "the node has no morph targets"
                            : "'" + path + "' is none of " + TRANSLATION + ", " + ROTATION + ", " + SCALE + ", "
                                    + WEIGHTS);
        }
        if (!path.equals(WEIGHTS)
                && root.at("nodes").at(node.integer(0)).at("matrix").present()) {
            throw target.malformed("the node has a matrix, which cannot be animated");
        }
        Keyframes keyframes = keyframes(accessors, samplers.get(sampler), path, width);
        channels.computeIfAbsent(node.integer(0), key -> new HashMap<>()).putIfAbsent(path, keyframes);
        end = Math.max(end, keyframes.end());
    }

    private static Keyframes keyframes(AccessorReader accessors, Json sampler, String path, int width)
            throws ModelException {
        Keyframes.Interpolation interpolation =
                sampler.at("interpolation").choice(Keyframes.Interpolation.LINEAR, Keyframes.INTERPOLATIONS);
        if (!sampler.at("input").present() || !sampler.at("output").present()) {
            throw sampler.malformed("it has no input or no output");
        }
        float[] times = accessors.floats(sampler.at("input"), sampler.place() + "/input", 1, 1);
        for (int i = 1; i < times.length; i++) {
            if (times[i] <= times[i - 1]) {
                throw sampler.at("input").malformed("its times do not increase");
            }
        }
        int components = path.equals(WEIGHTS) ? 1 : width;
        float[] values = accessors.floats(sampler.at("output"), sampler.place() + "/output", components, components);
        int each = width * (interpolation == Keyframes.Interpolation.CUBICSPLINE ? 3 : 1);
        if (values.length != (long) times.length * each) {
            throw sampler.at("output")
                    .malformed("it has " + values.length + " numbers for " + times.length + " times of " + each);
        }
        return new Keyframes(times, values, width, interpolation, path.equals(ROTATION));
    }

    /** Returns the keyframes of a node, or null if that stays. */
    @Nullable
    Keyframes of(int node, String path) {
        Map<String, Keyframes> own = channels.get(node);
        return own == null ? null : own.get(path);
    }

    /** Returns whether the transform of a node moves on its own. */
    boolean moves(int node) {
        return of(node, TRANSLATION) != null || of(node, ROTATION) != null || of(node, SCALE) != null;
    }

    /** Returns the time of the last keyframe in seconds, after which the animation begins again. */
    float end() {
        return end;
    }
}
