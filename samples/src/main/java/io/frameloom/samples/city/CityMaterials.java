package io.frameloom.samples.city;

import io.frameloom.samples.city.FacadeStyle.Rgb;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.Materials;
import io.frameloom.samples.scene.TextureImage;
import java.util.ArrayList;
import java.util.List;

/** The materials of the city, with textures painted by code. Indices are fields; not thread-safe. */
final class CityMaterials {
    /** Texels per side of the textures. */
    private static final int SIZE = 512;

    private final Materials materials = new Materials();
    private final List<Material> all = new ArrayList<>();

    final int brick;
    final int concreteWindows;
    final int glassTower;
    final int offices;
    final int shops;
    final int road;
    final int crossing;
    final int pavement;
    final int roof;
    final int soil;
    final int grass;
    final int metal;
    final int bark;
    final int leaves;
    final int paint;
    final int neon;
    final int carLights;

    CityMaterials() {
        brick = facade(new FacadeStyle(
                "brick",
                11,
                2 * SIZE,
                16,
                new Rgb(0.5f, 0.36f, 0.3f),
                new Rgb(0.13f, 0.16f, 0.2f),
                0.26f,
                0.74f,
                0.2f,
                0.78f,
                1,
                0.34f,
                0,
                true,
                5));
        concreteWindows = facade(new FacadeStyle(
                "concrete",
                23,
                SIZE,
                16,
                new Rgb(0.66f, 0.62f, 0.56f),
                new Rgb(0.12f, 0.16f, 0.2f),
                0.14f,
                0.86f,
                0.22f,
                0.76f,
                2,
                0.28f,
                0.04f,
                false,
                5));
        glassTower = facade(new FacadeStyle(
                "glass",
                37,
                SIZE,
                16,
                new Rgb(0.3f, 0.33f, 0.37f),
                new Rgb(0.24f, 0.34f, 0.42f),
                0.03f,
                0.97f,
                0.05f,
                0.93f,
                1,
                0.16f,
                0.14f,
                false,
                4));
        offices = facade(new FacadeStyle(
                "offices",
                41,
                SIZE,
                16,
                new Rgb(0.48f, 0.5f, 0.53f),
                new Rgb(0.14f, 0.2f, 0.25f),
                0,
                1,
                0.28f,
                0.8f,
                3,
                0.12f,
                0.3f,
                false,
                4));
        shops = facade(new FacadeStyle(
                "shops",
                53,
                SIZE,
                8,
                new Rgb(0.25f, 0.23f, 0.22f),
                new Rgb(0.2f, 0.2f, 0.2f),
                0.06f,
                0.94f,
                0.24f,
                0.92f,
                2,
                0.7f,
                0,
                false,
                7));
        road = ground("road", CityMaterials::paintRoad, CityMaterials::paintWetness);
        crossing = ground("crossing", CityMaterials::paintAsphalt, CityMaterials::paintWetness);
        pavement = ground("pavement", CityMaterials::paintPavement, null);
        roof = ground("roof", (x, y, rgba) -> grey(rgba, 0.36f + 0.12f * noise(x, y, 24, 61)), null);
        soil = ground("soil", (x, y, rgba) -> colour(rgba, 0.2f, 0.21f, 0.2f, 0.8f + 0.4f * noise(x, y, 16, 67)), null);
        grass = ground(
                "grass", (x, y, rgba) -> colour(rgba, 0.27f, 0.38f, 0.17f, 0.6f + 0.7f * noise(x, y, 32, 71)), null);
        metal = add(materials.plain("metal", 0.32f, 0.33f, 0.35f, 0.8f, 0.45f));
        bark = add(materials.plain("bark", 0.11f, 0.075f, 0.05f, 0, 0.95f));
        leaves = ground(
                "leaves", (x, y, rgba) -> colour(rgba, 0.75f, 0.8f, 0.6f, 0.35f + 0.75f * noise(x, y, 40, 73)), null);
        paint = add(materials.plain("car paint", 0.8f, 0.8f, 0.8f, 0.35f, 0.3f));
        neon = add(materials.glowing("neon", 7));
        carLights = add(materials.textured(
                "car lights",
                Painter.paint("car lights base", 8, true, (x, y, rgba) -> grey(rgba, 0.1f)),
                null,
                null,
                Painter.paint(
                        "car lights",
                        8,
                        true,
                        (x, y, rgba) -> colour(rgba, 1, x < 4 ? 0.9f : 0.03f, x < 4 ? 0.75f : 0, 1)),
                9));
    }

    List<Material> all() {
        return all;
    }

    private int add(Material material) {
        all.add(material);
        return all.size() - 1;
    }

    private int facade(FacadeStyle style) {
        return add(style.material(materials));
    }

    private int ground(String name, Painter.Texel base, Painter.@org.jspecify.annotations.Nullable Texel surface) {
        TextureImage surfaceImage = surface == null ? null : Painter.paint(name + " surface", SIZE, false, surface);
        return add(materials.textured(name, Painter.paint(name, SIZE, true, base), surfaceImage, null, null, 0));
    }

    private static float noise(int x, int y, int period, int seed) {
        return Painter.fractal((float) period * x / SIZE, (float) period * y / SIZE, period, seed);
    }

    private static void paintAsphalt(int x, int y, float[] rgba) {
        float grain = 0.8f + 0.4f * Painter.hash(x, y, 81);
        colour(rgba, 0.26f, 0.26f, 0.275f, grain * (0.75f + 0.5f * noise(x, y, 6, 82)));
    }

    /** Across the street u runs from kerb to kerb; the dashed line lies in the middle. */
    private static void paintRoad(int x, int y, float[] rgba) {
        paintAsphalt(x, y, rgba);
        float u = (x + 0.5f) / SIZE;
        float v = (y + 0.5f) / SIZE;
        float wear = 0.45f + 0.75f * noise(x, y, 20, 83);
        boolean dash = Math.abs(u - 0.5f) < 0.009f && v * 4 % 1 < 0.5f;
        boolean lane = Math.abs(Math.abs(u - 0.5f) - 0.25f) < 0.006f && v * 4 % 1 < 0.3f;
        boolean edge = Math.abs(Math.abs(u - 0.5f) - 0.465f) < 0.006f;
        boolean stripes =
                (v < 0.08f || v > 0.92f) && u > 0.05f && u < 0.95f && u * 12 % 1 < 0.55f && (v < 0.07f || v > 0.93f);
        if (dash) {
            colour(rgba, 0.8f, 0.66f, 0.3f, wear);
        } else if (lane || edge || stripes) {
            grey(rgba, 0.62f * wear);
        }
    }

    private static void paintWetness(int x, int y, float[] rgba) {
        float wet = Painter.smooth(0.48f, 0.62f, noise(x, y, 4, 91));
        rgba[0] = 1;
        rgba[1] = Painter.mix(0.72f, 0.2f, wet);
        rgba[2] = 0;
    }

    private static void paintPavement(int x, int y, float[] rgba) {
        int tile = SIZE / 8;
        float tone = 0.9f + 0.15f * Painter.hash(x / tile, y / tile, 95);
        float joint = x % tile < 2 || y % tile < 2 ? 0.7f : 1;
        grey(rgba, 0.58f * tone * joint * (0.85f + 0.3f * noise(x, y, 16, 96)));
    }

    private static void grey(float[] rgba, float value) {
        colour(rgba, 1, 1, 1, value);
    }

    private static void colour(float[] rgba, float red, float green, float blue, float scale) {
        rgba[0] = red * scale;
        rgba[1] = green * scale;
        rgba[2] = blue * scale;
    }
}
