package io.frameloom.gpu;

/**
 * How a texture is sampled.
 *
 * @param linear linear filtering within and between mips; else nearest
 * @param repeat coordinates wrap; else they clamp to the edge
 * @param compareLess depth comparison (less or equal passes), for shadow maps
 * @param anisotropy maximum anisotropy; 1 is off
 */
public record SamplerDescription(boolean linear, boolean repeat, boolean compareLess, int anisotropy) {
    /** Linear filtering, clamped. */
    public static final SamplerDescription LINEAR_CLAMP = new SamplerDescription(true, false, false, 1);
    /** Linear filtering, repeating. */
    public static final SamplerDescription LINEAR_REPEAT = new SamplerDescription(true, true, false, 1);
    /** Nearest texel, clamped. */
    public static final SamplerDescription NEAREST_CLAMP = new SamplerDescription(false, false, false, 1);
    /** Linear depth comparison for shadow maps, clamped. */
    public static final SamplerDescription SHADOW = new SamplerDescription(true, false, true, 1);
}
