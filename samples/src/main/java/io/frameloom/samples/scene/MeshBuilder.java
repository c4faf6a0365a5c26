package io.frameloom.samples.scene;

import java.util.Arrays;

/** Builds meshes from simple solids. Not thread-safe. */
public final class MeshBuilder {
    private float[] vertices = new float[64 * Mesh.FLOATS_PER_VERTEX];
    private int vertexCount;
    private int[] indices = new int[192];
    private int indexCount;

    /** Adds a white vertex, without a second set of texture coordinates, and returns its index. */
    public int vertex(float x, float y, float z, float nx, float ny, float nz, float u, float v) {
        int at = vertexCount * Mesh.FLOATS_PER_VERTEX;
        if (at == vertices.length) {
            vertices = Arrays.copyOf(vertices, at * 2);
        }
        vertices[at] = x;
        vertices[at + 1] = y;
        vertices[at + 2] = z;
        vertices[at + 3] = nx;
        vertices[at + 4] = ny;
        vertices[at + 5] = nz;
        vertices[at + 6] = u;
        vertices[at + 7] = v;
        Arrays.fill(vertices, at + 10, at + 14, 1);
        return vertexCount++;
    }

    /** Adds a triangle, counter-clockwise seen from its front. */
    public MeshBuilder triangle(int a, int b, int c) {
        if (indexCount + 3 > indices.length) {
            indices = Arrays.copyOf(indices, indices.length * 2);
        }
        indices[indexCount++] = a;
        indices[indexCount++] = b;
        indices[indexCount++] = c;
        return this;
    }

    /** Adds a box between two corners; every face has texture coordinates 0 to 1. */
    public MeshBuilder box(float x0, float y0, float z0, float x1, float y1, float z1) {
        face(x0, y0, z1, x1 - x0, 0, 0, 0, y1 - y0, 0, 0, 0, 1);
        face(x1, y0, z0, x0 - x1, 0, 0, 0, y1 - y0, 0, 0, 0, -1);
        face(x1, y0, z1, 0, 0, z0 - z1, 0, y1 - y0, 0, 1, 0, 0);
        face(x0, y0, z0, 0, 0, z1 - z0, 0, y1 - y0, 0, -1, 0, 0);
        face(x0, y1, z1, x1 - x0, 0, 0, 0, 0, z0 - z1, 0, 1, 0);
        face(x0, y0, z0, x1 - x0, 0, 0, 0, 0, z1 - z0, 0, -1, 0);
        return this;
    }

    /** Adds a parallelogram from a corner and two edges whose cross product points along the normal. */
    public MeshBuilder face(
            float x,
            float y,
            float z,
            float ux,
            float uy,
            float uz,
            float vx,
            float vy,
            float vz,
            float nx,
            float ny,
            float nz) {
        int a = vertex(x, y, z, nx, ny, nz, 0, 1);
        int b = vertex(x + ux, y + uy, z + uz, nx, ny, nz, 1, 1);
        int c = vertex(x + ux + vx, y + uy + vy, z + uz + vz, nx, ny, nz, 1, 0);
        int d = vertex(x + vx, y + vy, z + vz, nx, ny, nz, 0, 0);
        return triangle(a, b, c).triangle(a, c, d);
    }

    /** Adds an upright cone frustum without a bottom; a radius of 0 at the top makes a cone. */
    public MeshBuilder cylinder(float x, float y0, float z, float bottomRadius, float y1, float topRadius, int sides) {
        float slope = (bottomRadius - topRadius) / Math.max(1e-6f, y1 - y0);
        float ny = slope / (float) Math.sqrt(1 + slope * slope);
        float horizontal = (float) Math.sqrt(1 - ny * ny);
        int first = vertexCount;
        for (int i = 0; i <= sides; i++) {
            double angle = 2 * Math.PI * i / sides;
            float cx = (float) Math.cos(angle);
            float cz = (float) Math.sin(angle);
            float u = (float) i / sides;
            vertex(x + cx * bottomRadius, y0, z + cz * bottomRadius, cx * horizontal, ny, cz * horizontal, u, 1);
            vertex(x + cx * topRadius, y1, z + cz * topRadius, cx * horizontal, ny, cz * horizontal, u, 0);
        }
        int center = vertex(x, y1, z, 0, 1, 0, 0.5f, 0.5f);
        for (int i = 0; i < sides; i++) {
            int a = first + 2 * i;
            triangle(a, a + 1, a + 3).triangle(a, a + 3, a + 2);
            if (topRadius > 0) {
                triangle(center, a + 3, a + 1);
            }
        }
        return this;
    }

    /**
     * Adds a sphere whose radius wobbles: a tree crown, a rock.
     *
     * @param roughness relative size of the wobble, 0 for a sphere
     * @param seed chooses the wobble
     */
    public MeshBuilder blob(
            float x, float y, float z, float radius, float roughness, int rings, int segments, int seed) {
        int first = vertexCount;
        for (int ring = 0; ring <= rings; ring++) {
            double polar = Math.PI * ring / rings;
            for (int segment = 0; segment <= segments; segment++) {
                double azimuth = 2 * Math.PI * segment / segments;
                double dx = Math.sin(polar) * Math.cos(azimuth);
                double dy = Math.cos(polar);
                double dz = Math.sin(polar) * Math.sin(azimuth);
                double wobble = 1
                        + roughness
                                * (Math.sin(dx * 5.1 + seed) * Math.cos(dz * 4.3 + seed * 1.7)
                                        + 0.5 * Math.sin(dy * 9.7 + dx * 7.9 + seed * 2.3));
                vertex(
                        (float) (x + dx * radius * wobble),
                        (float) (y + dy * radius * wobble),
                        (float) (z + dz * radius * wobble),
                        (float) dx,
                        (float) dy,
                        (float) dz,
                        4f * segment / segments,
                        2f * ring / rings);
            }
        }
        int row = segments + 1;
        for (int ring = 0; ring < rings; ring++) {
            for (int segment = 0; segment < segments; segment++) {
                int a = first + ring * row + segment;
                triangle(a, a + 1, a + row + 1).triangle(a, a + row + 1, a + row);
            }
        }
        return this;
    }

    /** Returns the mesh. */
    public Mesh build(String name) {
        return new Mesh(
                name,
                Arrays.copyOf(vertices, vertexCount * Mesh.FLOATS_PER_VERTEX),
                Arrays.copyOf(indices, indexCount));
    }
}
