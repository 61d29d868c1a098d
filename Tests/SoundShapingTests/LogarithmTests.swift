import Foundation
import Testing

@testable import SoundShaping

@Suite struct LogarithmTests {
    @Test func agreesWithTheLibrarys() {
        for step in -4000...4000 {
            let value = exp2(Double(step) / 37)
            #expect(abs(Logarithm.base2(value) - Double(step) / 37) < 1e-11)
            #expect(abs(Logarithm.power2(Double(step) / 37) / value - 1) < 1e-11)
        }
        for denominator in [2, 8, 2048, 4096, 3000] {
            for part in -denominator...2 * denominator {
                let (sine, cosine) = Logarithm.turn(part, of: denominator)
                #expect(abs(sine - sin(2 * .pi * Double(part) / Double(denominator))) < 1e-14)
                #expect(abs(cosine - cos(2 * .pi * Double(part) / Double(denominator))) < 1e-14)
            }
        }
    }

    @Test func theTransformIsTheTransform() {
        let size = 64
        let (real, imaginary) = (Sound.noise(size, seed: 1), Sound.noise(size, seed: 2))
        var (re, im) = (real, imaginary)
        let transform = FourierTransform(size: size)
        re.withUnsafeMutableBufferPointer { re in im.withUnsafeMutableBufferPointer { transform.transform(re, $0) } }
        for k in 0..<size {
            var (a, b) = (0.0, 0.0)
            for n in 0..<size {
                let phase = -2 * Double.pi * Double(k * n) / Double(size)
                a += Double(real[n]) * cos(phase) - Double(imaginary[n]) * sin(phase)
                b += Double(real[n]) * sin(phase) + Double(imaginary[n]) * cos(phase)
            }
            #expect(abs(Double(re[k]) - a) < 1e-4 && abs(Double(im[k]) - b) < 1e-4)
        }
        im.withUnsafeMutableBufferPointer { im in re.withUnsafeMutableBufferPointer { transform.transform(im, $0) } }
        for n in 0..<size { #expect(abs(re[n] / Float(size) - real[n]) < 1e-5 && abs(im[n] / Float(size) - imaginary[n]) < 1e-5) }
    }
}
