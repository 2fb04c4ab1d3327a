// Level 1: results, one operation to a line.
func.func @blend(%a: !pto.tile<16x16xf32>, %b: !pto.tile<16x16xf32>) -> !pto.tile<16x16xf32> {
  %m = pto.tcmp %a, %b {cmpMode = #pto<cmp lt>} : (!pto.tile<16x16xf32>, !pto.tile<16x16xf32>) -> !pto.tile<i8, 16, 32, 16, 2>
  %d = pto.tsel %m, %a, %b : (!pto.tile<i8, 16, 32, 16, 2>, !pto.tile<16x16xf32>, !pto.tile<16x16xf32>) -> !pto.tile<16x16xf32>
  %e = pto.tsel %d, %a, %b : (!pto.tile<16x16xf32>, !pto.tile<16x16xf32>, !pto.tile<16x16xf32>) -> !pto.tile<16x16xf32>  //~ ERROR ptoas-mask-type
  %f = pto.tsel %m, %a, %b : (!pto.tile<i8, 16, 32, 16, 2>, !pto.tile<16x16xf32>) -> !pto.tile<16x16xf32>  //~ ERROR ptoas-arity
  return %d : !pto.tile<16x16xf32>
}
