package io.frameloom.samples.gltf;

import de.javagl.jgltf.model.GltfModel;
import de.javagl.jgltf.model.MeshModel;
import de.javagl.jgltf.model.MeshPrimitiveModel;
import de.javagl.jgltf.model.NodeModel;
import de.javagl.jgltf.model.SceneModel;
import de.javagl.jgltf.model.io.GltfModelReader;
import io.frameloom.samples.IoReasons;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.joml.Matrix4f;
import org.joml.Matrix4fc;

/**
 * Loads binary glTF 2.0 files through jgltf: nodes, meshes, indices, normals, texture coordinates, metallic-roughness
 * materials and embedded images. Animations, skins and morph targets show their rest pose; cameras and lights of the
 * file are not used. Each call is on one thread; any thread.
 */
public final class GltfLoader {
    /** Nodes below nodes, for the sake of the stack. */
    private static final int MAX_DEPTH = 200;

    private static final int MAX_DRAWS = 200_000;

    /** Kept, so that the level stays: what the library would log reaches the user as a {@link ModelException}. */
    private static final Logger LIBRARY_LOGGER = Logger.getLogger("de.javagl.jgltf");

    private final List<Mesh> meshes = new ArrayList<>();
    private final MaterialReader materials = new MaterialReader();
    private final List<DrawItem> draws = new ArrayList<>();
    private final IdentityHashMap<MeshModel, List<Part>> parts = new IdentityHashMap<>();
    private final Set<NodeModel> visited = Collections.newSetFromMap(new IdentityHashMap<>());

    private record Part(int mesh, int material) {}

    private GltfLoader() {}

    /**
     * Loads a model and puts camera, sun and lights around it.
     *
     * @throws ModelException if the file is missing, corrupt or uses what is not supported
     */
    public static Scene load(Path file) throws ModelException {
        if (!Files.isRegularFile(file)) {
            throw new ModelException("model " + file + (Files.exists(file) ? " is not a file" : " does not exist"));
        }
        LIBRARY_LOGGER.setLevel(Level.OFF);
        try {
            byte[] bytes = Files.readAllBytes(file);
            GlbContainer.check(bytes);
            GltfModel model = new GltfModelReader().readWithoutReferences(new ByteArrayInputStream(bytes));
            return new GltfLoader().load(file, model);
        } catch (ModelException e) {
            throw new ModelException("model " + file + " " + e.getMessage(), e);
        } catch (IOException e) {
            throw new ModelException("model " + file + " cannot be read: " + IoReasons.of(e), e);
        } catch (RuntimeException | OutOfMemoryError e) {
            // A damaged file makes the library fail in many ways, all of them before anything of ours is touched.
            throw new ModelException("model " + file + " cannot be read: " + oneLine(e), e);
        }
    }

    private Scene load(Path file, GltfModel model) throws ModelException {
        List<String> required = model.getExtensionsModel().getExtensionsRequired();
        if (required != null && !required.isEmpty()) {
            throw new ModelException("requires " + String.join(", ", required) + ", which is not supported");
        }
        if (model.getSceneModels().isEmpty()) {
            for (NodeModel node : model.getNodeModels()) {
                if (node.getParent() == null) {
                    node(node, new Matrix4f(), 0);
                }
            }
        } else {
            SceneModel scene = model.getSceneModels().get(0);
            for (NodeModel node : scene.getNodeModels()) {
                node(node, new Matrix4f(), 0);
            }
        }
        if (draws.isEmpty()) {
            throw new ModelException("has no triangles to draw");
        }
        return Showroom.around(String.valueOf(file.getFileName()), meshes, materials.materials(), draws);
    }

    private void node(NodeModel node, Matrix4fc parent, int depth) throws ModelException {
        if (depth > MAX_DEPTH) {
            throw new ModelException("has nodes deeper than " + MAX_DEPTH + " levels");
        }
        if (!visited.add(node)) {
            throw new ModelException("reaches node '" + node.getName()
                    + "' more than once; the nodes of a scene must be trees, without a second parent or a circle");
        }
        Matrix4f transform = new Matrix4f(parent).mul(new Matrix4f().set(node.computeLocalTransform(new float[16])));
        if (!transform.isFinite()) {
            throw new ModelException("has node '" + node.getName() + "' with a transform that is no number");
        }
        for (MeshModel mesh : node.getMeshModels()) {
            List<Part> known = parts.get(mesh);
            if (known == null) {
                known = read(mesh);
                parts.put(mesh, known);
            }
            for (Part part : known) {
                draws.add(new DrawItem(part.mesh, part.material, transform));
            }
            if (draws.size() > MAX_DRAWS) {
                throw new ModelException("has more than " + MAX_DRAWS + " draws");
            }
        }
        for (NodeModel child : node.getChildren()) {
            node(child, transform, depth + 1);
        }
    }

    private List<Part> read(MeshModel model) throws ModelException {
        List<Part> result = new ArrayList<>();
        String name = model.getName() == null ? "mesh " + parts.size() : model.getName();
        for (MeshPrimitiveModel primitive : model.getMeshPrimitiveModels()) {
            Mesh mesh = MeshReader.read(name, primitive, MaterialReader.texcoord(primitive.getMaterialModel()));
            if (mesh != null) {
                result.add(new Part(meshes.size(), materials.index(primitive.getMaterialModel())));
                meshes.add(mesh);
            }
        }
        return result;
    }

    private static String oneLine(Throwable failure) {
        String message = failure.getMessage();
        String text = message == null ? failure.getClass().getSimpleName() : message;
        int end = text.indexOf('\n');
        return (end < 0 ? text : text.substring(0, end)).strip();
    }
}
