package io.frameloom.samples.city;

import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.MeshBuilder;
import java.util.ArrayList;
import java.util.List;

/** The handful of meshes of which the city consists; indices are fields. Not thread-safe. */
final class CityMeshes {
    /** Different shapes of tree crowns. */
    static final int CROWNS = 3;

    private final List<Mesh> all = new ArrayList<>();

    /** One metre wide and deep around the origin, one metre high above it. */
    final int box;

    /** One metre square around the origin, facing up; v runs along z. */
    final int quad;

    /** Radius and height of one metre. */
    final int drum;

    final int trunk;
    final int firstCrown;
    final int lampPole;
    final int lampHead;
    final int car;
    final int carLights;
    final int orb;

    CityMeshes() {
        box = add(new MeshBuilder().box(-0.5f, 0, -0.5f, 0.5f, 1, 0.5f).build("box"));
        quad = add(new MeshBuilder()
                .face(-0.5f, 0, 0.5f, 1, 0, 0, 0, 0, -1, 0, 1, 0)
                .build("quad"));
        drum = add(new MeshBuilder().cylinder(0, 0, 0, 1, 1, 1, 14).build("drum"));
        trunk = add(new MeshBuilder().cylinder(0, 0, 0, 0.2f, 3, 0.12f, 7).build("trunk"));
        firstCrown = all.size();
        for (int i = 0; i < CROWNS; i++) {
            add(new MeshBuilder()
                    .blob(0, 4, 0, 1.7f, 0.14f, 9, 12, 5 + i)
                    .blob(0.7f, 3.2f, 0.4f, 1.1f, 0.16f, 7, 9, 9 + i)
                    .blob(-0.6f, 3.3f, -0.5f, 1.15f, 0.16f, 7, 9, 13 + i)
                    .build("crown " + i));
        }
        lampPole = add(new MeshBuilder()
                .cylinder(0, 0, 0, 0.16f, 0.7f, 0.12f, 8)
                .cylinder(0, 0.7f, 0, 0.07f, 5.6f, 0.05f, 8)
                .box(-0.05f, 5.5f, -0.05f, 1.3f, 5.6f, 0.05f)
                .build("lamp pole"));
        lampHead = add(
                new MeshBuilder().box(0.75f, 5.38f, -0.13f, 1.4f, 5.5f, 0.13f).build("lamp head"));
        car = add(new MeshBuilder()
                .box(-0.9f, 0.3f, -2.1f, 0.9f, 0.85f, 2.1f)
                .box(-0.75f, 0.85f, -1.2f, 0.75f, 1.4f, 1.0f)
                .build("car"));
        carLights = add(carLights());
        orb = add(new MeshBuilder().blob(0, 0, 0, 0.3f, 0, 8, 12, 0).build("orb"));
    }

    List<Mesh> all() {
        return all;
    }

    private int add(Mesh mesh) {
        all.add(mesh);
        return all.size() - 1;
    }

    /** Lamps in front (towards +z) take the left half of the texture, those in the rear the right half. */
    private static Mesh carLights() {
        MeshBuilder builder = new MeshBuilder();
        for (int side = -1; side <= 1; side += 2) {
            for (int end = -1; end <= 1; end += 2) {
                float u = end > 0 ? 0.25f : 0.75f;
                float x = side * 0.62f;
                float z = end * 2.13f;
                int a = builder.vertex(x - end * 0.24f, 0.5f, z, 0, 0, end, u, 0.5f);
                int b = builder.vertex(x + end * 0.24f, 0.5f, z, 0, 0, end, u, 0.5f);
                int c = builder.vertex(x + end * 0.24f, 0.72f, z, 0, 0, end, u, 0.5f);
                int d = builder.vertex(x - end * 0.24f, 0.72f, z, 0, 0, end, u, 0.5f);
                builder.triangle(a, b, c).triangle(a, c, d);
            }
        }
        return builder.build("car lights");
    }
}
