package io.frameloom.samples.scene;

import org.joml.Vector3fc;

/**
 * Sun, sky and air. Colours are linear and may exceed 1.
 *
 * @param toSun unit vector towards the sun
 * @param sun irradiance of the sun
 * @param zenith radiance of the sky overhead
 * @param horizon radiance of the sky at the horizon
 * @param glow radiance added around the sun
 * @param ground radiance of the ground seen from above
 * @param fogDensity optical thickness of the air per metre at height 0
 * @param fogFalloff decrease of the density with height, per metre
 * @param exposure multiplies all light before tone mapping
 * @param clouds how much of the sky has thin clouds, 0 to 1
 * @param shadowDistance distance from the camera that shadows reach, in metres
 * @param ambientRadius radius of ambient occlusion in metres
 */
public record Atmosphere(
        Vector3fc toSun,
        Vector3fc sun,
        Vector3fc zenith,
        Vector3fc horizon,
        Vector3fc glow,
        Vector3fc ground,
        float fogDensity,
        float fogFalloff,
        float exposure,
        float clouds,
        float shadowDistance,
        float ambientRadius) {}
