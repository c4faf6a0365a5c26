package io.frameloom.samples.city;

import io.frameloom.samples.scene.DrawItem;
import java.util.List;
import java.util.SplittableRandom;
import org.joml.Matrix4f;
import org.joml.Vector4f;

/** Fills blocks with buildings: shops at street level, stepped towers, roofs with machinery, neon signs. */
final class Buildings {
    /** Side of a window cell in metres; widths and heights are whole cells. */
    private static final float CELL = 3.4f;

    /** Metres per repeat of a facade texture: 16 cells. */
    private static final float TILE = 16 * CELL;

    private static final float SHOP_HEIGHT = 4;
    private static final float SHOP_TILE = 32;
    private static final float[][] NEON = {
        {1, 0.12f, 0.35f}, {0.1f, 0.75f, 1}, {0.75f, 0.2f, 1}, {1, 0.5f, 0.08f}, {0.15f, 1, 0.55f}, {1, 0.85f, 0.3f}
    };

    private final SplittableRandom random;
    private final CityMaterials materials;
    private final CityMeshes meshes;
    private final List<DrawItem> draws;

    Buildings(SplittableRandom random, CityMaterials materials, CityMeshes meshes, List<DrawItem> draws) {
        this.random = random;
        this.materials = materials;
        this.meshes = meshes;
        this.draws = draws;
    }

    void fillBlock(float x, float z, float base) {
        float usable = CityGenerator.BLOCK - 6;
        float distance = (float) Math.hypot(x, z + 40);
        float tall = Painter.mix(112, 17, Painter.smooth(10, 215, distance));
        int columns = random.nextDouble() < 0.12 ? 1 : 2;
        int rows = columns == 1 ? 1 : random.nextDouble() < 0.35 ? 3 : 2;
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                float width = usable / columns;
                float depth = usable / rows;
                float height = tall * between(0.45f, 1.3f) * (columns == 1 ? 1.2f : 1);
                building(
                        x - usable / 2 + width * (column + 0.5f),
                        z - usable / 2 + depth * (row + 0.5f),
                        base,
                        cells(width - between(0.4f, 2)),
                        cells(depth - between(0.4f, 2)),
                        Math.max(2 * CELL, cells(height)));
            }
        }
    }

    private static float cells(float metres) {
        return Math.max(2, Math.round(metres / CELL - 0.3f)) * CELL;
    }

    private void building(float x, float z, float base, float width, float depth, float height) {
        int facade = facade(height);
        float light = between(0.75f, 1.15f);
        float warmth = between(-0.08f, 0.08f);
        Vector4f tint = new Vector4f(light + warmth, light, light - warmth, between(0.7f, 1.25f));
        box(
                materials.shops,
                x,
                base,
                z,
                width + 0.3f,
                SHOP_HEIGHT,
                depth + 0.3f,
                DrawItem.WHITE,
                new Vector4f(SHOP_TILE, random.nextInt(8) / 8f, random.nextInt(8) / 8f, 0));
        box(materials.roof, x, base + SHOP_HEIGHT, z, width + 0.8f, 0.35f, depth + 0.8f);
        float bottom = base + SHOP_HEIGHT + 0.35f;
        float left = height;
        float w = width;
        float d = depth;
        while (left > 0) {
            boolean last = left < 8 * CELL || Math.min(w, d) < 4 * CELL || random.nextDouble() < 0.3;
            float tier = last ? left : Math.min(left, cells(left * between(0.4f, 0.75f)));
            box(
                    facade,
                    x,
                    bottom,
                    z,
                    w,
                    tier,
                    d,
                    tint,
                    new Vector4f(TILE, random.nextInt(16) / 16f, random.nextInt(16) / 16f, 0));
            bottom += tier;
            left -= tier;
            box(materials.roof, x, bottom, z, w + 0.5f, 0.7f, d + 0.5f);
            bottom += 0.7f;
            if (left > 0) {
                w = Math.max(2 * CELL, w - 2 * CELL * random.nextInt(1, 3) / 2);
                d = Math.max(2 * CELL, d - 2 * CELL * random.nextInt(1, 3) / 2);
            }
        }
        roofTop(x, bottom, z, w, d, height);
        if (random.nextDouble() < 0.7) {
            sign(x, z, base, width, depth, height);
        }
    }

    private int facade(float height) {
        double choice = random.nextDouble();
        if (height > 60) {
            return choice < 0.5 ? materials.glassTower : choice < 0.85 ? materials.offices : materials.concreteWindows;
        }
        if (height > 28) {
            return choice < 0.4
                    ? materials.concreteWindows
                    : choice < 0.65 ? materials.offices : choice < 0.85 ? materials.brick : materials.glassTower;
        }
        return choice < 0.6 ? materials.brick : materials.concreteWindows;
    }

    private void roofTop(float x, float y, float z, float width, float depth, float height) {
        int machines = random.nextInt(1, 4);
        for (int i = 0; i < machines; i++) {
            float w = between(1.2f, Math.min(3.5f, width * 0.4f));
            box(
                    materials.metal,
                    x + between(-0.3f, 0.3f) * width,
                    y,
                    z + between(-0.3f, 0.3f) * depth,
                    w,
                    between(0.8f, 2),
                    between(1, 2.6f));
        }
        if (height < 34 && random.nextDouble() < 0.4) {
            float tankX = x + between(-0.25f, 0.25f) * width;
            float tankZ = z + between(-0.25f, 0.25f) * depth;
            draws.add(new DrawItem(
                    meshes.drum,
                    materials.bark,
                    new Matrix4f().translate(tankX, y + 1, tankZ).scale(1.5f, 3, 1.5f)));
            box(materials.metal, tankX, y, tankZ, 2, 1, 2);
        } else if (height > 70) {
            float mast = between(8, 20);
            box(materials.metal, x, y, z, 0.35f, mast, 0.35f);
            draws.add(new DrawItem(
                    meshes.orb,
                    materials.neon,
                    new Matrix4f().translate(x, y + mast, z).scale(1.2f),
                    null,
                    new Vector4f(1, 0.08f, 0.05f, 1.4f),
                    DrawItem.OWN_MAPPING));
        }
    }

    private void sign(float x, float z, float base, float width, float depth, float height) {
        float[] colour = NEON[random.nextInt(NEON.length)];
        Vector4f tint = new Vector4f(colour[0], colour[1], colour[2], between(0.5f, 1));
        float tall = Math.min(height - 1, between(3, 11));
        float y = base + SHOP_HEIGHT + between(0.6f, 2.5f);
        boolean alongX = random.nextBoolean();
        float side = random.nextBoolean() ? 1 : -1;
        float corner = between(-0.45f, 0.45f);
        if (alongX) {
            box(
                    materials.neon,
                    x + side * (width / 2 + 0.7f),
                    y,
                    z + corner * depth,
                    1.1f,
                    tall,
                    0.3f,
                    tint,
                    DrawItem.OWN_MAPPING);
        } else {
            box(
                    materials.neon,
                    x + corner * width,
                    y,
                    z + side * (depth / 2 + 0.7f),
                    0.3f,
                    tall,
                    1.1f,
                    tint,
                    DrawItem.OWN_MAPPING);
        }
    }

    private void box(int material, float x, float y, float z, float width, float height, float depth) {
        box(material, x, y, z, width, height, depth, DrawItem.WHITE, new Vector4f(8, 0, 0, 0));
    }

    private void box(
            int material,
            float x,
            float y,
            float z,
            float width,
            float height,
            float depth,
            org.joml.Vector4fc tint,
            org.joml.Vector4fc mapping) {
        Matrix4f transform = new Matrix4f().translate(x, y, z).scale(width, height, depth);
        draws.add(new DrawItem(meshes.box, material, transform, null, tint, mapping));
    }

    private float between(float low, float high) {
        return low + (high - low) * (float) random.nextDouble();
    }
}
