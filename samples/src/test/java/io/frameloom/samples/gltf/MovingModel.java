package io.frameloom.samples.gltf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Files of a tube that two joints bend and a morph target swells. Two small triangles at the corners of a box keep the
 * size of the model, whatever moves.
 */
public final class MovingModel {
    /** Rings of the tube, one unit apart. */
    public static final int RINGS = 9;

    /** Vertices of each ring. */
    public static final int SIDES = 12;

    private static final double RADIUS = 0.8;

    private static final String MATERIAL = "{\"name\":\"orange\",\"doubleSided\":true,\"pbrMetallicRoughness\":"
            + "{\"metallicFactor\":0,\"baseColorFactor\":[1,0.4,0.1,1]}}";

    private final SmallModel model = new SmallModel();
    private final List<Double> positions = new ArrayList<>();
    private final List<Double> normals = new ArrayList<>();
    private final List<Double> weights = new ArrayList<>();

    /** Fills the vertices of a tube along y, from -4 to 4. */
    public MovingModel() {
        for (int ring = 0; ring < RINGS; ring++) {
            for (int side = 0; side < SIDES; side++) {
                double angle = 2 * Math.PI * side / SIDES;
                positions.addAll(List.of(RADIUS * Math.cos(angle), ring - 4.0, RADIUS * Math.sin(angle)));
                normals.addAll(List.of(Math.cos(angle), 0.0, Math.sin(angle)));
                double upper = Math.min(1, Math.max(0, (ring - 2) / 4.0));
                weights.addAll(List.of(1 - upper, upper, 0.0, 0.0));
            }
        }
    }

    /** Returns the position of each vertex at rest. */
    public double[] positions() {
        return array(positions);
    }

    /** Returns the normal of each vertex at rest. */
    public double[] normals() {
        return array(normals);
    }

    /** Returns the share of the upper joint in each vertex. */
    public double[] upper() {
        double[] result = new double[RINGS * SIDES];
        for (int i = 0; i < result.length; i++) {
            result[i] = weights.get(4 * i + 1);
        }
        return result;
    }

    /**
     * Returns a file of the tube whose upper half turns around z, by {@code from} degrees at the time 0 and by {@code to}
     * degrees a second later, and which a morph target swells, by {@code thin} and by {@code thick} units.
     */
    public byte[] bending(double from, double to, double thin, double thick) {
        int time = model.floats("SCALAR", 0, 1);
        int turn = model.floats("VEC4", join(turn(from), turn(to)));
        int weight = model.floats("SCALAR", thin, thick);
        double[] number = new double[4 * RINGS * SIDES];
        for (int i = 1; i < number.length; i += 4) {
            number[i] = 1;
        }
        String attributes = "\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"JOINTS_0\":%d,\"WEIGHTS_0\":%d}"
                .formatted(
                        model.floats("VEC3", positions()),
                        model.floats("VEC3", normals()),
                        model.accessor(SmallModel.UNSIGNED_BYTE, "VEC4", "", number),
                        model.floats("VEC4", array(weights)));
        double[] out = normals();
        int target = model.floats("VEC3", out);
        String primitive = "%s,\"indices\":%d,\"material\":0,\"targets\":[{\"POSITION\":%d}]"
                .formatted(attributes, indices(), target);
        return model.glb(("\"nodes\":[{\"mesh\":0,\"skin\":0},{\"name\":\"lower\",\"children\":[2]},"
                        + "{\"name\":\"upper\"},{\"mesh\":1}],"
                        + "\"skins\":[{\"joints\":[1,2]}],"
                        + "\"meshes\":[{\"name\":\"tube\",\"primitives\":[{%s}]},%s],\"materials\":[%s],"
                        + "\"animations\":[{\"name\":\"bend\","
                        + "\"samplers\":[{\"input\":%d,\"output\":%d},{\"input\":%d,\"output\":%d}],"
                        + "\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}},"
                        + "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"weights\"}}]}]")
                .formatted(primitive, frame(), MATERIAL, time, turn, time, weight));
    }

    /** Returns a file of the tube with other vertices, which nothing moves. */
    public byte[] still(double[] position, double[] normal) {
        String primitive = "\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},\"indices\":%d,\"material\":0"
                .formatted(model.floats("VEC3", position), model.floats("VEC3", normal), indices());
        return model.glb(("\"nodes\":[{\"mesh\":0},{\"mesh\":1}],"
                        + "\"meshes\":[{\"name\":\"tube\",\"primitives\":[{%s}]},%s],\"materials\":[%s]")
                .formatted(primitive, frame(), MATERIAL));
    }

    /** A mesh of two small triangles at two corners of a box. */
    private String frame() {
        return "{\"name\":\"frame\",\"primitives\":[{\"attributes\":{\"POSITION\":%d}}]}"
                .formatted(model.floats("VEC3", -8, -6, -8, -7.9, -6, -8, -8, -5.9, -8, 8, 6, 8, 7.9, 6, 8, 8, 5.9, 8));
    }

    private int indices() {
        double[] indices = new double[(RINGS - 1) * SIDES * 6];
        int at = 0;
        for (int ring = 0; ring < RINGS - 1; ring++) {
            for (int side = 0; side < SIDES; side++) {
                int a = ring * SIDES + side;
                int b = ring * SIDES + (side + 1) % SIDES;
                for (int corner : new int[] {a, a + SIDES, b, b, a + SIDES, b + SIDES}) {
                    indices[at++] = corner;
                }
            }
        }
        return model.accessor(SmallModel.UNSIGNED_SHORT, "SCALAR", "", indices);
    }

    private static double[] turn(double degrees) {
        double half = Math.toRadians(degrees) / 2;
        return new double[] {0, 0, Math.sin(half), Math.cos(half)};
    }

    private static double[] join(double[] first, double[] second) {
        double[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
