package io.frameloom.samples.gltf;

import de.javagl.jgltf.impl.v2.GlTF;
import de.javagl.jgltf.model.GltfModel;
import de.javagl.jgltf.model.GltfModels;
import de.javagl.jgltf.model.MeshModel;
import de.javagl.jgltf.model.MeshPrimitiveModel;
import de.javagl.jgltf.model.NodeModel;
import de.javagl.jgltf.model.SceneModel;
import de.javagl.jgltf.model.SkinModel;
import de.javagl.jgltf.model.io.v2.GltfAssetV2;
import io.frameloom.samples.IoReasons;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Mesh;
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
import java.util.logging.Level;
import java.util.logging.Logger;
import org.joml.Matrix4f;
import org.joml.Matrix4fc;
import org.jspecify.annotations.Nullable;

/**
 * Loads glTF 2.0 files, text or binary, through jgltf. What core glTF 2.0 has is read, said or refused:
 *
 * <ul>
 *   <li>Read: the default scene (the first if none is named, all nodes without scenes), transforms that mirror,
 *       accessors of every type, strided, normalised and sparse, strips and fans, vertex colours, two sets of texture
 *       coordinates, metallic-roughness materials with all their textures, samplers, PNG and JPEG images of every kind,
 *       masks, two sides, morph targets by their weights, skins by the transforms of their joints; buffers and images
 *       in the file, in files beside it, in data URIs. A mesh without normals is flat.
 *   <li>Said, one line each: further scenes, animations (the rest pose is shown), cameras (one circles the model),
 *       tangents (those of the texture coordinates are used), alpha blending (a cut at half coverage), extensions that
 *       are used.
 *   <li>Refused by name: points and lines, texture coordinates beyond the second set, extensions that are required,
 *       images that are neither PNG nor JPEG, what is on the network, what is damaged.
 * </ul>
 *
 * <p>Each call is on one thread; any thread.
 */
public final class GltfLoader {
    /** Nodes below nodes, for the sake of the stack. */
    private static final int MAX_DEPTH = 200;

    private static final int MAX_DRAWS = 200_000;

    /** Kept, so that the level stays: what the library would log reaches the user as a {@link ModelException}. */
    private static final Logger LIBRARY_LOGGER = Logger.getLogger("de.javagl.jgltf");

    private final GlTF gltf;
    private final GltfModel model;
    private final Set<String> notes = new LinkedHashSet<>();
    private final AccessorReader accessors;
    private final MaterialReader materials;
    private final List<Mesh> meshes = new ArrayList<>();
    private final List<DrawItem> draws = new ArrayList<>();
    private final Map<Key, List<Part>> parts = new HashMap<>();
    private final Map<NodeModel, Matrix4f> transforms = new LinkedHashMap<>();

    private record Part(int mesh, int material) {}

    /** What is drawn in the same way, wherever it stands. */
    private record Key(MeshModel mesh, boolean mirrored) {}

    private GltfLoader(GlTF gltf, GltfModel model) {
        this.gltf = gltf;
        this.model = model;
        accessors = new AccessorReader(gltf, model);
        materials = new MaterialReader(gltf, model, notes);
    }

    /**
     * Loads a model and puts camera, sun and lights around it.
     *
     * @param notes receives a line about each thing that is shown in another way than the file says
     * @throws ModelException if the file is missing, corrupt or uses what is not supported
     */
    public static Scene load(Path file, Consumer<String> notes) throws ModelException {
        if (!Files.isRegularFile(file)) {
            throw new ModelException("model " + file + (Files.exists(file) ? " is not a file" : " does not exist"));
        }
        LIBRARY_LOGGER.setLevel(Level.OFF);
        try {
            GltfLoader loader = open(file);
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

    private static GltfLoader open(Path file) throws ModelException, IOException {
        try {
            GltfAssetV2 asset = AssetReader.read(file);
            return new GltfLoader(asset.getGltf(), GltfModels.create(asset));
        } catch (RuntimeException e) {
            // A damaged file makes the library fail in many ways.
            throw new ModelException("cannot be read: " + oneLine(e), e);
        }
    }

    private Scene load(String name) throws ModelException {
        for (NodeModel node : roots()) {
            place(node, new Matrix4f(), 0);
        }
        if (!model.getAnimationModels().isEmpty()) {
            notes.add("has animations: its rest pose is shown");
        }
        if (!model.getCameraModels().isEmpty()) {
            notes.add("has cameras: one that circles the model is used instead");
        }
        List<String> used = gltf.getExtensionsUsed();
        if (used != null && !used.isEmpty()) {
            notes.add("uses " + String.join(", ", used) + ": it is shown without");
        }
        for (Map.Entry<NodeModel, Matrix4f> node : transforms.entrySet()) {
            draw(node.getKey(), node.getValue());
        }
        if (draws.isEmpty()) {
            throw new ModelException("has no triangles to draw");
        }
        return Showroom.around(name, meshes, materials.materials(), draws);
    }

    private List<NodeModel> roots() throws ModelException {
        List<SceneModel> scenes = model.getSceneModels();
        int scene = gltf.getScene() == null ? 0 : gltf.getScene();
        if (gltf.getScene() == null && scenes.isEmpty()) {
            return model.getNodeModels().stream()
                    .filter(node -> node.getParent() == null)
                    .toList();
        }
        if (scene < 0 || scene >= scenes.size()) {
            throw new ModelException("names scene " + scene + " of " + scenes.size());
        }
        if (scenes.size() > 1) {
            notes.add("has " + scenes.size() + " scenes: number " + scene + " is shown");
        }
        return scenes.get(scene).getNodeModels();
    }

    private void place(NodeModel node, Matrix4fc parent, int depth) throws ModelException {
        if (depth > MAX_DEPTH) {
            throw new ModelException("has nodes deeper than " + MAX_DEPTH + " levels");
        }
        Matrix4f transform = new Matrix4f(parent).mul(new Matrix4f().set(node.computeLocalTransform(new float[16])));
        if (!transform.isFinite()) {
            throw new ModelException("has " + name(node) + " with a transform that is no number");
        }
        if (transforms.put(node, transform) != null) {
            throw new ModelException("reaches " + name(node)
                    + " more than once; the nodes of a scene must be trees, without a second parent or a circle");
        }
        for (NodeModel child : node.getChildren()) {
            place(child, transform, depth + 1);
        }
    }

    private void draw(NodeModel node, Matrix4f transform) throws ModelException {
        SkinModel skin = node.getSkinModel();
        for (MeshModel mesh : node.getMeshModels()) {
            List<Part> drawn;
            if (skin == null && node.getWeights() == null) {
                Key key = new Key(mesh, transform.determinant3x3() < 0);
                List<Part> known = parts.get(key);
                drawn = known == null ? read(mesh, mesh.getWeights(), null, key.mirrored) : known;
                parts.put(key, drawn);
            } else {
                float[] weights = node.getWeights() == null ? mesh.getWeights() : node.getWeights();
                List<Matrix4f> joints = skin == null ? null : joints(skin);
                drawn = read(mesh, weights, joints, joints == null && transform.determinant3x3() < 0);
            }
            for (Part part : drawn) {
                // The joints of a skin take its vertices to the world, wherever its node stands.
                draws.add(new DrawItem(part.mesh, part.material, skin == null ? transform : new Matrix4f()));
            }
            if (draws.size() > MAX_DRAWS) {
                throw new ModelException("has more than " + MAX_DRAWS + " draws");
            }
        }
    }

    private List<Matrix4f> joints(SkinModel skin) throws ModelException {
        List<Matrix4f> joints = new ArrayList<>();
        float[] matrices = accessors.floats(skin.getInverseBindMatrices(), "inverseBindMatrices", 16, 16);
        if (matrices.length < 16 * skin.getJoints().size()) {
            throw new ModelException("has a skin of " + skin.getJoints().size() + " joints with " + matrices.length / 16
                    + " inverseBindMatrices");
        }
        for (NodeModel joint : skin.getJoints()) {
            Matrix4f transform = transforms.get(joint);
            if (transform == null) {
                throw new ModelException("has a skin whose joint " + name(joint) + " is not in the scene");
            }
            joints.add(new Matrix4f(transform).mul(new Matrix4f().set(matrices, 16 * joints.size())));
        }
        return joints;
    }

    private List<Part> read(
            MeshModel mesh, float @Nullable [] weights, @Nullable List<Matrix4f> joints, boolean mirrored)
            throws ModelException {
        List<Part> result = new ArrayList<>();
        String name = mesh.getName() == null ? "mesh " + model.getMeshModels().indexOf(mesh) : mesh.getName();
        for (MeshPrimitiveModel primitive : mesh.getMeshPrimitiveModels()) {
            Mesh read = new MeshReader(accessors, name, primitive, weights == null ? new float[0] : weights)
                    .read(joints, mirrored);
            if (read != null) {
                result.add(new Part(meshes.size(), materials.index(primitive)));
                meshes.add(read);
            }
        }
        return result;
    }

    private String name(NodeModel node) {
        return "node " + (node.getName() == null ? model.getNodeModels().indexOf(node) : "'" + node.getName() + "'");
    }

    private static String oneLine(Throwable failure) {
        String message = failure.getMessage();
        String text = message == null ? failure.getClass().getSimpleName() : message;
        int end = text.indexOf('\n');
        return (end < 0 ? text : text.substring(0, end)).strip();
    }
}
