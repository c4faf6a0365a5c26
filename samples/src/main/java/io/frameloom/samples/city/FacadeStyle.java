package io.frameloom.samples.city;

import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.Materials;
import io.frameloom.samples.scene.TextureImage;

/**
 * A kind of facade: a grid of window cells in a wall.
 *
 * @param name name
 * @param seed chooses the lit windows
 * @param size texels per side of its textures
 * @param cells window cells per side of a texture
 * @param wall colour of the wall, sRGB 0 to 1
 * @param glass colour of the glass
 * @param left left edge of the window in its cell, 0 to 1
 * @param right right edge
 * @param top upper edge
 * @param bottom lower edge
 * @param mullions vertical bars in a window
 * @param lit how many windows are lit, 0 to 1
 * @param litFloors how many whole floors are lit, 0 to 1
 * @param bricks whether the wall shows courses of bricks
 * @param emission radiance of lit windows
 */
record FacadeStyle(
        String name,
        int seed,
        int size,
        int cells,
        Rgb wall,
        Rgb glass,
        float left,
        float right,
        float top,
        float bottom,
        int mullions,
        float lit,
        float litFloors,
        boolean bricks,
        float emission) {

    /** A colour, sRGB encoded, 0 to 1. */
    record Rgb(float red, float green, float blue) {}

    Material material(Materials materials) {
        TextureImage base = Painter.paint(name + " base", size, true, this::paintBase);
        TextureImage surface = Painter.paint(name + " surface", size, false, this::paintSurface);
        TextureImage normal = Painter.paint(name + " normal", size, false, this::paintNormal);
        TextureImage light = Painter.paint(name + " light", size, true, this::paintLight);
        return materials.textured(name, base, surface, normal, light, emission);
    }

    private int cell() {
        return size / cells;
    }

    private float inCell(int texel) {
        return (texel % cell() + 0.5f) / cell();
    }

    private boolean inWindow(float u, float v) {
        return u > left && u < right && v > top && v < bottom;
    }

    private boolean onBar(float u, float v) {
        float border = 1.2f / cell();
        boolean edge = u < left + border || u > right - border || v < top + border || v > bottom - border;
        float position = (u - left) / (right - left) * (mullions + 1);
        boolean bar = Math.abs(position - Math.round(position)) * (right - left) / (mullions + 1) < 0.6f / cell();
        return edge || bar;
    }

    private void paintBase(int x, int y, float[] rgba) {
        float u = inCell(x);
        float v = inCell(y);
        if (!inWindow(u, v)) {
            float grime = 0.82f + 0.3f * Painter.fractal(12f * x / size, 12f * y / size, 12, seed);
            if (bricks) {
                int course = y / 3;
                int brick = (x + (course & 1) * 3) / 6;
                grime *= y % 3 == 0 ? 0.8f : 0.88f + 0.24f * Painter.hash(brick, course, seed + 7);
            }
            float ledge = v > bottom && v < bottom + 0.07f ? 1.15f : 1;
            set(rgba, wall, grime * ledge);
        } else if (onBar(u, v)) {
            set(rgba, wall, 0.4f);
        } else {
            float sheen = 0.85f + 0.3f * Painter.hash(x / cell(), y / cell(), seed + 3);
            set(rgba, glass, sheen);
        }
    }

    private void paintSurface(int x, int y, float[] rgba) {
        boolean pane = inWindow(inCell(x), inCell(y)) && !onBar(inCell(x), inCell(y));
        rgba[0] = 1;
        rgba[1] = pane ? 0.08f + 0.1f * Painter.hash(x / cell(), y / cell(), seed + 5) : 0.86f;
        rgba[2] = pane ? 0.35f : 0;
    }

    private void paintNormal(int x, int y, float[] rgba) {
        float u = inCell(x);
        float v = inCell(y);
        float reach = 1.6f / cell();
        float slopeX = 0;
        float slopeUp = 0;
        if (v > top - reach && v < bottom + reach) {
            slopeX = (Math.abs(u - left) < reach ? -0.8f : 0) + (Math.abs(u - right) < reach ? 0.8f : 0);
        }
        if (u > left - reach && u < right + reach) {
            slopeUp = (Math.abs(v - top) < reach ? 0.8f : 0) + (Math.abs(v - bottom) < reach ? -0.8f : 0);
        }
        if (inWindow(u, v) && slopeX == 0 && slopeUp == 0) {
            slopeX = 0.03f * (Painter.hash(x / cell(), y / cell(), seed + 11) - 0.5f);
            slopeUp = 0.03f * (Painter.hash(x / cell(), y / cell(), seed + 12) - 0.5f);
        }
        Painter.normal(slopeX, slopeUp, rgba);
    }

    private void paintLight(int x, int y, float[] rgba) {
        int column = x / cell();
        int row = y / cell();
        float u = inCell(x);
        float v = inCell(y);
        boolean floorLit = Painter.hash(row, 0, seed + 21) < litFloors && Painter.hash(column, row, seed + 22) < 0.85f;
        boolean on = floorLit || Painter.hash(column, row, seed + 23) < lit;
        if (!on || !inWindow(u, v) || onBar(u, v)) {
            rgba[0] = 0;
            rgba[1] = 0;
            rgba[2] = 0;
            return;
        }
        float kind = Painter.hash(column, row, seed + 24);
        Rgb colour = kind < 0.55f
                ? new Rgb(1, 0.72f, 0.4f)
                : kind < 0.82f
                        ? new Rgb(1, 0.84f, 0.6f)
                        : kind < 0.93f ? new Rgb(0.8f, 0.9f, 1) : new Rgb(1, 0.6f, 0.5f);
        float depth = (v - top) / (bottom - top);
        float room = 1 - 0.45f * depth;
        float blind = Painter.hash(column, row, seed + 25);
        if (blind < 0.4f && depth < blind * 2) {
            room *= 0.55f;
        }
        float furniture = Painter.noise(8f * (u + column), 8f * (v + row), 8 * cells, seed + 26);
        room *= depth > 0.5f ? 0.65f + 0.5f * furniture : 1;
        set(rgba, colour, room * (0.45f + 0.55f * Painter.hash(column, row, seed + 27)));
    }

    private static void set(float[] rgba, Rgb colour, float scale) {
        rgba[0] = colour.red * scale;
        rgba[1] = colour.green * scale;
        rgba[2] = colour.blue * scale;
    }
}
