package io.frameloom.samples.scene;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Everything that is rendered. Immutable; any thread.
 *
 * <p>Draws are kept in the order of pipeline, material and mesh, so that drawing them in order changes state rarely.
 *
 * @param name name for the summary
 * @param meshes meshes
 * @param materials materials
 * @param draws draws
 * @param lights lights besides the sun, at most {@value #MAX_LIGHTS}
 * @param camera camera
 * @param atmosphere sun, sky and air
 * @param bounds bounds of all draws at all times
 * @param rig what motions, lights and deformations read
 */
public record Scene(
        String name,
        List<Mesh> meshes,
        List<Material> materials,
        List<DrawItem> draws,
        List<Light> lights,
        CameraPath camera,
        Atmosphere atmosphere,
        Bounds bounds,
        Rig rig) {
    /** The largest number of lights; the lighting pass keeps a list of indices per tile. */
    public static final int MAX_LIGHTS = 512;

    /** Sorts the draws and copies the lists. */
    public Scene {
        if (lights.size() > MAX_LIGHTS) {
            throw new IllegalArgumentException(
                    "scene '" + name + "' has " + lights.size() + " lights, at most " + MAX_LIGHTS + " fit");
        }
        meshes = List.copyOf(meshes);
        materials = List.copyOf(materials);
        lights = List.copyOf(lights);
        for (DrawItem draw : draws) {
            if ((meshes.get(draw.mesh()).deformable() == null) != (draw.deformation() == null)) {
                throw new IllegalArgumentException("scene '" + name + "' draws mesh '"
                        + meshes.get(draw.mesh()).name() + "' without what deforms it, or deforms what cannot be");
            }
        }
        List<Material> byIndex = materials;
        List<DrawItem> sorted = new ArrayList<>(draws);
        sorted.sort(Comparator.<DrawItem, Boolean>comparing(
                        draw -> byIndex.get(draw.material()).special())
                .thenComparingInt(DrawItem::material)
                .thenComparingInt(DrawItem::mesh));
        draws = List.copyOf(sorted);
    }

    /** Returns the indices of the draws whose transforms move. */
    public int[] moving() {
        return IntStream.range(0, draws.size())
                .filter(draw -> draws.get(draw).motion() != null)
                .toArray();
    }

    /** A scene without a rig. */
    public Scene(
            String name,
            List<Mesh> meshes,
            List<Material> materials,
            List<DrawItem> draws,
            List<Light> lights,
            CameraPath camera,
            Atmosphere atmosphere,
            Bounds bounds) {
        this(name, meshes, materials, draws, lights, camera, atmosphere, bounds, Rig.NONE);
    }
}
