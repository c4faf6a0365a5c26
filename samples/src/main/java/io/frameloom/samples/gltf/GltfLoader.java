package io.frameloom.samples.gltf;

import io.frameloom.samples.IoReasons;
import io.frameloom.samples.scene.Deformation;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Motion;
import io.frameloom.samples.scene.Scene;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.joml.Matrix4f;
import org.joml.Matrix4fc;
import org.joml.Quaternionf;
import org.jspecify.annotations.Nullable;

/**
 * Loads glTF 2.0 files, text or binary. What core glTF 2.0 has is read, said or refused:
 *
 * <ul>
 *   <li>Read: the default scene (the first if none is named, all nodes without scenes), transforms that mirror,
 *       accessors of every type, strided, normalised and sparse, strips and fans, vertex colours, two sets of texture
 *       coordinates, metallic-roughness materials with all their textures, samplers, PNG and JPEG images of every kind,
 *       masks, two sides; one animation, which moves nodes, the joints of skins and the weights of morph targets;
 *       buffers and images in the file, in files beside it, in data URIs. A mesh without normals is flat.
 *   <li>Read of extensions: {@link Extensions}.
 *   <li>Said, one line each: further scenes, animations that are not played, cameras (one circles the model), tangents
 *       (those of the texture coordinates are used), alpha blending (a cut at half coverage), lights that are shown
 *       otherwise, other extensions that are used.
 *   <li>Refused by name: points and lines, texture coordinates beyond the second set, other extensions that are
 *       required, images that are neither PNG nor JPEG, what is on the network, what is damaged.
 * </ul>
 *
 * <p>Each call is on one thread; any thread.
 */
public final class GltfLoader {
    /** Nodes below nodes, for the sake of the stack. */
    private static final int MAX_DEPTH = 200;

    private static final int MAX_DRAWS = 200_000;

    private static final float[] REST = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};

    private final Json root;
    private final Set<String> notes = new LinkedHashSet<>();
    private final AccessorReader accessors;
    private final MaterialReader materials;
    private final LightReader lights;
    private final ModelAnimation animation;
    private final ModelRig rig;
    private final List<Mesh> meshes = new ArrayList<>();
    private final List<DrawItem> draws = new ArrayList<>();
    private final Map<Key, List<Part>> parts = new HashMap<>();
    private final Map<Integer, Placed> placed = new LinkedHashMap<>();

    private record Part(int mesh, int material, boolean deformed) {}

    /** What is drawn in the same way, wherever it stands; the skin is -1 without one. */
    private record Key(int mesh, boolean mirrored, int skin, boolean morphed) {}

    /**
     * A node of the scene.
     *
     * @param transform where it is at rest
     * @param place where its matrix is in the state of the rig, or {@link ModelRig#STILL}
     */
    private record Placed(Json node, Matrix4fc transform, int place) {
        boolean moves() {
            return place != ModelRig.STILL;
        }

        Motion motion() {
            return (seconds, rig, transform) -> {
                if (place == ModelRig.STILL) {
                    transform.set(this.transform);
                } else {
                    transform.set(rig, place);
                }
            };
        }
    }

    /** The joints of a skin: their transforms at rest, and the places of their nodes. */
    private record Skin(List<Matrix4f> rest, List<Matrix4f> inverseBind, List<Placed> nodes) {
        boolean moves() {
            return nodes.stream().anyMatch(Placed::moves);
        }
    }

    private GltfLoader(GltfDocument document, @Nullable String animation) throws ModelException {
        root = document.root();
        accessors = new AccessorReader(document);
        materials = new MaterialReader(document, notes);
        lights = new LightReader(root);
        this.animation = ModelAnimation.read(root, accessors, animation, notes);
        rig = new ModelRig(this.animation);
    }

    /**
     * Loads a model with its first animation, and puts camera, sun and lights around it.
     *
     * @param notes receives a line about each thing that is shown in another way than the file says
     * @throws ModelException if the file is missing, corrupt or uses what is not supported
     */
    public static Scene load(Path file, Consumer<String> notes) throws ModelException {
        return load(file, null, notes);
    }

    /**
     * Loads a model, and puts camera, sun and lights around it.
     *
     * @param animation name or number of the animation that is played, "none", or null for the first
     * @param notes receives a line about each thing that is shown in another way than the file says
     * @throws ModelException if the file is missing, corrupt or uses what is not supported
     */
    public static Scene load(Path file, @Nullable String animation, Consumer<String> notes) throws ModelException {
        if (!Files.isRegularFile(file)) {
            throw new ModelException("model " + file + (Files.exists(file) ? " is not a file" : " does not exist"));
        }
        try {
            GltfLoader loader = new GltfLoader(new GltfDocument(file), animation);
            Scene scene = loader.load(String.valueOf(file.getFileName()));
            loader.notes.forEach(note -> notes.accept("model " + file + " " + note));
            return scene;
        } catch (ModelException e) {
            throw new ModelException("model " + file + " " + e.getMessage(), e);
        } catch (IOException e) {
            throw new ModelException("model " + file + " cannot be read: " + IoReasons.of(e), e);
        } catch (OutOfMemoryError e) {
            throw new ModelException(
                    "model " + file + " needs more memory than Java has: " + oneLine(e) + "; raise it with -Xmx", e);
        }
    }

    /**
     * Returns the files whose bytes make up a model: its own, and those that it refers to.
     *
     * @throws ModelException if the file is corrupt
     * @throws IOException if it cannot be read
     */
    public static List<Path> files(Path file) throws ModelException, IOException {
        List<Path> files = new ArrayList<>(List.of(file));
        try {
            files.addAll(GltfDocument.referredFiles(file));
        } catch (ModelException e) {
            throw new ModelException("model " + file + " " + e.getMessage(), e);
        }
        return files;
    }

    private Scene load(String name) throws ModelException {
        for (int node : roots()) {
            place(node, new Matrix4f(), ModelRig.STILL, 0);
        }
        if (root.at("cameras").node().size() > 0) {
            notes.add("has cameras: one that circles the model is used instead");
        }
        List<String> unread = Extensions.unread(root.at("extensionsUsed"));
        if (!unread.isEmpty()) {
            notes.add("uses " + String.join(", ", unread) + ": it is shown without");
        }
        for (Map.Entry<Integer, Placed> node : placed.entrySet()) {
            draw(node.getKey(), node.getValue());
            lights.add(
                    node.getValue().node,
                    node.getValue().motion(),
                    node.getValue().moves());
        }
        if (draws.isEmpty()) {
            throw new ModelException("has no triangles to draw");
        }
        return new Showroom(rig, animation.end(), notes)
                .around(name, meshes, materials.materials(), draws, lights.lights());
    }

    private List<Integer> roots() throws ModelException {
        int scenes = root.at("scenes").node().size();
        int scene = root.at("scene").integer(0);
        List<Integer> nodes = new ArrayList<>();
        if (!root.at("scene").present() && scenes == 0) {
            Set<Integer> children = new LinkedHashSet<>();
            List<Json> all = root.at("nodes").elements();
            for (Json node : all) {
                for (Json child : node.at("children").elements()) {
                    children.add(child.integer(0));
                }
            }
            for (int i = 0; i < all.size(); i++) {
                if (!children.contains(i)) {
                    nodes.add(i);
                }
            }
            return nodes;
        }
        if (scene >= scenes) {
            throw new ModelException("names scene " + scene + " of " + scenes);
        }
        if (scenes > 1) {
            notes.add("has " + scenes + " scenes: number " + scene + " is shown");
        }
        for (Json node : root.at("scenes").at(scene).at("nodes").elements()) {
            nodes.add(node.integer(0));
        }
        return nodes;
    }

    private void place(int number, Matrix4fc parent, int parentPlace, int depth) throws ModelException {
        if (depth > MAX_DEPTH) {
            throw new ModelException("has nodes deeper than " + MAX_DEPTH + " levels");
        }
        Json node = root.at("nodes").at(number);
        float[] rest = REST.clone();
        System.arraycopy(node.at("translation").numbers(0, 0, 0), 0, rest, 0, 3);
        System.arraycopy(node.at("rotation").numbers(0, 0, 0, 1), 0, rest, 3, 4);
        System.arraycopy(node.at("scale").numbers(1, 1, 1), 0, rest, 7, 3);
        Matrix4f local = new Matrix4f();
        if (node.at("matrix").present()) {
            local.set(node.at("matrix").numbers(new float[16]));
        } else {
            ModelRig.transform(rest, new Quaternionf(), local);
        }
        Matrix4f transform = parent.mul(local, new Matrix4f());
        if (!transform.isFinite()) {
            throw new ModelException("has " + name(number) + " with a transform that is no number");
        }
        int place = rig.node(number, parentPlace, parent, rest, local);
        if (placed.put(number, new Placed(node, transform, place)) != null) {
            throw new ModelException("reaches " + name(number)
                    + " more than once; the nodes of a scene must be trees, without a second parent or a circle");
        }
        for (Json child : node.at("children").elements()) {
            place(child.integer(0), transform, place, depth + 1);
        }
    }

    private void draw(int number, Placed node) throws ModelException {
        if (!node.node.at("mesh").present()) {
            return;
        }
        int mesh = node.node.at("mesh").integer(0);
        Json own = node.node.at("weights");
        Json given = own.present() ? own : root.at("meshes").at(mesh).at("weights");
        Keyframes moved = animation.of(number, ModelAnimation.WEIGHTS);
        Skin skin = node.node.at("skin").present() ? skin(node.node.at("skin").integer(0)) : null;
        boolean movingSkin = skin != null && (skin.moves() || moved != null);
        boolean mirrored = (skin == null ? node.transform : skin.rest.get(0)).determinant3x3() < 0;
        Key key = new Key(mesh, mirrored, node.node.at("skin").integer(-1), moved != null);
        // Vertices that are moved here are the node's own.
        boolean shared = (skin == null || movingSkin) && (moved != null || !own.present());
        List<Part> drawn = shared ? parts.get(key) : null;
        if (drawn == null) {
            drawn = read(
                    mesh,
                    new MeshReader.Pose(
                            moved == null ? given.numbers() : null,
                            skin != null,
                            skin == null || movingSkin ? null : skin.rest,
                            skin == null ? 0 : skin.rest.size(),
                            mirrored));
            if (shared) {
                parts.put(key, drawn);
            }
        }
        Deformation deformation = null;
        if (drawn.stream().anyMatch(Part::deformed)) {
            deformation = new Deformation(
                    skin != null && movingSkin ? joints(skin) : Deformation.NONE,
                    moved == null ? Deformation.NONE : rig.weights(moved));
        }
        for (Part part : drawn) {
            // The joints of a skin take its vertices to the world, wherever its node stands.
            draws.add(new DrawItem(
                    part.mesh,
                    part.material,
                    skin == null ? node.transform : new Matrix4f(),
                    skin == null && node.moves() ? node.motion() : null,
                    DrawItem.WHITE,
                    DrawItem.OWN_MAPPING,
                    part.deformed ? deformation : null));
        }
        if (draws.size() > MAX_DRAWS) {
            throw new ModelException("has more than " + MAX_DRAWS + " draws");
        }
    }

    /** Adds the joints of a skin to the rig, one after another, and returns the place of the first. */
    private int joints(Skin skin) {
        int first = rig.floats();
        for (int i = 0; i < skin.nodes.size(); i++) {
            Placed node = skin.nodes.get(i);
            rig.joint(node.place, node.transform, skin.inverseBind.get(i));
        }
        return first;
    }

    private Skin skin(int number) throws ModelException {
        Json json = root.at("skins").at(number);
        List<Json> joints = json.at("joints").elements();
        Json given = json.at("inverseBindMatrices");
        float[] matrices = given.present() ? accessors.floats(given, "inverseBindMatrices", 16, 16) : new float[0];
        if (given.present() && matrices.length < 16 * joints.size()) {
            throw new ModelException(
                    "has a skin of " + joints.size() + " joints with " + matrices.length / 16 + " inverseBindMatrices");
        }
        Skin skin = new Skin(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < joints.size(); i++) {
            Placed joint = placed.get(joints.get(i).integer(0));
            if (joint == null) {
                throw new ModelException(
                        "has a skin whose joint " + name(joints.get(i).integer(0)) + " is not in the scene");
            }
            Matrix4f inverseBind = new Matrix4f();
            if (given.present()) {
                inverseBind.set(matrices, 16 * i);
            }
            skin.inverseBind.add(inverseBind);
            skin.nodes.add(joint);
            skin.rest.add(joint.transform.mul(inverseBind, new Matrix4f()));
        }
        return skin;
    }

    private List<Part> read(int number, MeshReader.Pose pose) throws ModelException {
        List<Part> result = new ArrayList<>();
        Json mesh = root.at("meshes").at(number);
        String name = mesh.at("name").text("mesh " + number);
        for (Json primitive : mesh.at("primitives").elements()) {
            Mesh read = new MeshReader(accessors, name, primitive, pose).read();
            if (read != null) {
                result.add(new Part(meshes.size(), materials.index(primitive), read.deformable() != null));
                meshes.add(read);
            }
        }
        return result;
    }

    private String name(int number) {
        Json name = root.at("nodes").at(number).at("name");
        return "node " + (name.present() ? "'" + name.node().asText() + "'" : number);
    }

    private static String oneLine(Throwable failure) {
        String message = failure.getMessage();
        String text = message == null ? failure.getClass().getSimpleName() : message;
        int end = text.indexOf('\n');
        return (end < 0 ? text : text.substring(0, end)).strip();
    }
}
